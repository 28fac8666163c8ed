#pragma once
// A program on a terminal of its own, as a person at a keyboard has it. Throws when the system refuses. One thread.

#include "base/unique_fd.hpp"
#include "tests/support/run_command.hpp"

#include <sys/types.h>
#include <chrono>
#include <string>
#include <string_view>
#include <utility>

namespace sallyport::test {

class PtyProcess {
 public:
  /// argv, environment and directory of `command`; its input is what type() sends.
  explicit PtyProcess(Command command);
  ~PtyProcess();
  PtyProcess(PtyProcess const&) = delete;
  PtyProcess& operator=(PtyProcess const&) = delete;

  void type(std::string_view keys) const;
  void resize(unsigned short rows, unsigned short columns) const;
  /// Whether the screen showed `text` before `timeout` or the end of the program.
  bool wait_for(std::string_view text, std::chrono::milliseconds timeout);
  /// Waits for the end; the exit code as a shell reports it. Kills after `timeout`.
  int wait(std::chrono::milliseconds timeout);
  /// Everything shown so far.
  std::string const& screen() const { return screen_; }

 private:
  explicit PtyProcess(std::pair<UniqueFd, pid_t> started);
  bool read_more(std::chrono::milliseconds longest);
  UniqueFd terminal_;
  pid_t pid_;
  bool reaped_ = false;
  std::string screen_;
};

}  // namespace sallyport::test
