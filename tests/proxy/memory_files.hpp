#pragma once
// Memory files as the supervisor hands them over. Any thread.

#include "base/unique_fd.hpp"

#include <gtest/gtest.h>

#include <sys/mman.h>
#include <unistd.h>

#include <string>

namespace sallyport::tests {

inline UniqueFd memory_file(std::string const& bytes) {
  auto file = UniqueFd::adopt(::memfd_create("test", MFD_CLOEXEC), "memfd_create").value();
  EXPECT_EQ(::write(file.get(), bytes.data(), bytes.size()), static_cast<ssize_t>(bytes.size()));
  return file;
}

}  // namespace sallyport::tests
