#include "proxy/memory_file.hpp"

#include "tests/proxy/memory_files.hpp"

#include <gtest/gtest.h>

#include <string>

namespace sallyport::proxy {
namespace {

using tests::memory_file;

TEST(ReadMemoryFile, ReadsAllWhereverItStands) {
  EXPECT_EQ(read_memory_file(memory_file("hello"), 5).value(), "hello");
  EXPECT_EQ(read_memory_file(memory_file(""), 5).value(), "");
}

TEST(ReadMemoryFile, RefusesMoreThanIsWanted) { EXPECT_EQ(read_memory_file(memory_file("hello!"), 5).error().code, Code::limit); }

}  // namespace
}  // namespace sallyport::proxy
