#include "cli/sealed_file.hpp"

#include <gtest/gtest.h>

#include <unistd.h>

#include <array>
#include <cerrno>
#include <string>

namespace sallyport::cli {
namespace {

TEST(SealedFile, HoldsTheBytesAndCannotBeChanged) {
  auto const file = sealed_file("test", "policy");
  ASSERT_TRUE(file) << file.error().what;
  std::array<char, 16> buffer{};
  EXPECT_EQ(::pread(file->get(), buffer.data(), buffer.size(), 0), 6);
  EXPECT_EQ(std::string(buffer.data()), "policy");
  EXPECT_EQ(::pwrite(file->get(), "x", 1, 0), -1);
  EXPECT_EQ(errno, EPERM);
  EXPECT_EQ(::ftruncate(file->get(), 1), -1);
}

}  // namespace
}  // namespace sallyport::cli
