#include "proxy/memory_file.hpp"

#include <gtest/gtest.h>

#include <sys/mman.h>
#include <unistd.h>

#include <string>

namespace sallyport::proxy {
namespace {

UniqueFd file_of(std::string const& bytes) {
  auto file = UniqueFd::adopt(::memfd_create("test", MFD_CLOEXEC), "memfd_create").value();
  EXPECT_EQ(::write(file.get(), bytes.data(), bytes.size()), static_cast<ssize_t>(bytes.size()));
  return file;
}

TEST(ReadMemoryFile, ReadsAllWhereverItStands) {
  EXPECT_EQ(read_memory_file(file_of("hello"), 5).value(), "hello");
  EXPECT_EQ(read_memory_file(file_of(""), 5).value(), "");
}

TEST(ReadMemoryFile, RefusesMoreThanIsWanted) { EXPECT_EQ(read_memory_file(file_of("hello!"), 5).error().code, Code::limit); }

}  // namespace
}  // namespace sallyport::proxy
