#pragma once
// Waits for the end of the jail's commands and writes their command.exit records. One thread.

#include "audit/sink.hpp"
#include "base/clock.hpp"
#include "base/result.hpp"
#include "base/unique_fd.hpp"
#include "jail/command_table.hpp"

#include <chrono>
#include <cstdint>
#include <map>
#include <sys/types.h>

namespace sallyport::jail {

class ExitWatch {
 public:
  /// `epoll` is an empty epoll instance. All references outlive this.
  ExitWatch(UniqueFd epoll, audit::Sink& sink, Clock const& clock, CommandTable& table)
      : epoll_(std::move(epoll)), sink_(sink), clock_(clock), table_(table) {}
  ExitWatch(ExitWatch const&) = delete;
  ExitWatch& operator=(ExitWatch const&) = delete;

  /// `pid` runs the command whose record is `seq`; a later one for the same process replaces it. A process that is gone
  /// already gets its record at once.
  Result<void> started(pid_t pid, std::uint64_t seq);
  /// Readable when a process has ended.
  int descriptor() const { return epoll_.get(); }
  /// Writes the records of all processes that have ended by now.
  Result<void> handle_ended();

 private:
  struct Running {
    UniqueFd pidfd;
    std::uint64_t exec;
    std::chrono::steady_clock::time_point since;
  };
  Result<void> handle_one(pid_t pid);
  void watch(pid_t pid, UniqueFd const& pidfd, int operation, std::uint32_t events) const;

  UniqueFd epoll_;
  audit::Sink& sink_;
  Clock const& clock_;
  CommandTable& table_;
  std::map<pid_t, Running> running_;
};

}  // namespace sallyport::jail
