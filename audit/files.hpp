#pragma once
// The few file operations that the audit log needs. Blocking; any thread.

#include "base/result.hpp"
#include "base/unique_fd.hpp"

#include <cstddef>
#include <string>
#include <string_view>

namespace sallyport::audit {

/// Makes `dir` and what is missing above it, mode 0700. Leaves what exists as it is.
Result<void> make_private_dirs(std::string const& dir);

/// Writes all of `bytes`, as one write(2) unless the kernel takes less.
Result<void> write_all(int fd, std::string_view bytes, std::string_view what);

/// Whole content of a regular file of at most `max_bytes`.
Result<std::string> read_all(int fd, std::size_t max_bytes, std::string_view what);

/// `bytes` random bytes from the kernel as hexadecimal digits.
Result<std::string> random_hex(std::size_t bytes);

}  // namespace sallyport::audit
