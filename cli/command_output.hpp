#pragma once
// What a program of the user's prints: a password manager, a token helper. Waits for it, within a deadline. Any thread.

#include "base/result.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace sallyport::cli {

/// Runs argv[0], an absolute path, without a shell, with the caller's environment and standard error and without standard input. Errors:
/// it cannot be started, ends with another status than 0, prints more than `max_bytes`, or takes longer than
/// limits::kCredentialCommandTimeout, when it is killed.
Result<std::string> command_output(std::vector<std::string> const& argv, std::size_t max_bytes);

}  // namespace sallyport::cli
