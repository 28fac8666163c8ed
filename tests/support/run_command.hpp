#pragma once
// Runs a program as a child process and captures what it prints. Throws when the system refuses; a program that fails is an
// Outcome. One thread.

#include "base/unique_fd.hpp"

#include <sys/types.h>
#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sallyport::test {

using namespace std::chrono_literals;

/// What happens to the child's stdin when Command::input is written.
enum class AfterInput { close, keep_open };

struct Command {
  std::vector<std::string> argv;                             // argv[0] is looked up in PATH
  std::optional<std::vector<std::string>> environment = {};  // "NAME=value"; absent: that of the test
  std::string directory = {};                                // empty: that of the test
  std::string input = {};                                    // on stdin
  AfterInput after_input = AfterInput::close;
  std::chrono::milliseconds timeout = 30s;
};

struct Outcome {
  int exit_code = -1;      // as a shell reports it: 128+n for signal n
  bool timed_out = false;  // and was killed
  std::string out;
  std::string err;
  std::chrono::milliseconds duration{};
};

/// A running child. Its output is read only while one of the waiting functions runs.
class Process {
 public:
  explicit Process(Command command);
  /// Kills it if it still runs. Its own children are its own affair.
  ~Process();
  Process(Process const&) = delete;
  Process& operator=(Process const&) = delete;

  pid_t pid() const { return pid_; }
  void send_signal(int number) const;
  /// Whether stdout held `text` before `timeout`, the end of stdout, or the end of the process.
  bool wait_for_output(std::string_view text, std::chrono::milliseconds timeout);
  /// Waits for the end of the process and of both pipes, so for everybody who holds them; kills at Command::timeout.
  Outcome wait();
  /// Everything read from stdout so far.
  std::string const& out() const { return outcome_.out; }

 private:
  void pump_once(std::chrono::milliseconds longest);
  void feed_input();
  bool pipes_open() const { return out_.has_value() || err_.has_value(); }
  void reap();

  Command command_;
  std::chrono::steady_clock::time_point started_;
  pid_t pid_ = -1;
  std::optional<UniqueFd> in_, out_, err_;
  std::size_t fed_ = 0;
  bool reaped_ = false;
  Outcome outcome_;
};

Outcome run_command(Command command);

}  // namespace sallyport::test
