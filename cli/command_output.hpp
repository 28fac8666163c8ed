#pragma once
// What a program of the user's prints: a password manager, a token helper. One thread.

#include "base/result.hpp"
#include "base/unique_fd.hpp"

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <sys/types.h>
#include <vector>

namespace sallyport::cli {

/// A program that runs while its output is collected. It is killed when this goes.
class RunningCommand {
 public:
  /// Runs argv[0], an absolute path, without a shell, with the caller's environment and standard error and without standard input.
  static Result<RunningCommand> start(std::vector<std::string> const& argv, std::size_t max_bytes);
  RunningCommand(RunningCommand&& other) noexcept;
  RunningCommand& operator=(RunningCommand&&) = delete;
  ~RunningCommand();

  /// What it printed, once it has ended; nothing while it runs. Does not wait. Errors: it ended with another status than 0, prints more than
  /// `max_bytes`, or takes longer than limits::kCredentialCommandTimeout, when it is killed. Nothing more is said after an answer.
  std::optional<Result<std::string>> poll();
  /// Readable when there may be news.
  int descriptor() const { return output_.get(); }

 private:
  RunningCommand(pid_t pid, UniqueFd output, std::string program, std::size_t max_bytes);
  std::optional<Result<std::string>> read_all();
  std::optional<Result<std::string>> ended();
  Error failure(Code code, std::string const& what) const { return Error{code, 0, "program " + program_ + " " + what}; }

  pid_t pid_;  // -1: it has ended
  UniqueFd output_;
  std::string program_;
  std::size_t max_bytes_;
  std::chrono::steady_clock::time_point deadline_;
  std::string text_;
};

/// Waits for it.
Result<std::string> command_output(std::vector<std::string> const& argv, std::size_t max_bytes);

}  // namespace sallyport::cli
