#pragma once
// Turns execs into command.exec records, one each, confirmed against /proc. One thread.
//
// The process that asks is stopped; its request is read, and it goes on (seccomp CONTINUE). What the kernel then executes may differ:
// another thread can change the memory in between. So the record is written when /proc shows the new program: "verified" when file and
// arguments are those that were read, otherwise with what is there instead. An exec after which the process goes on as it was leaves no record; one whose process is gone does. Records of executed
// commands are always written before a record of what they send (settle()).

#include "audit/sink.hpp"
#include "base/clock.hpp"
#include "base/result.hpp"
#include "jail/command_table.hpp"
#include "jail/exec_request.hpp"
#include "jail/exit_watch.hpp"
#include "jail/proc_files.hpp"

#include <chrono>
#include <list>
#include <optional>

namespace sallyport::jail {

class CommandRecorder {
 public:
  CommandRecorder(audit::Sink& sink, Clock const& clock, CommandTable& table, ExitWatch& exits)
      : sink_(sink), clock_(clock), table_(table), exits_(exits) {}

  /// A process is about to be allowed to execute this. It goes on after the call.
  Result<void> about_to_execute(ProcDirectory::Status status, ProcDirectory process, ExecRequest request);
  /// Writes the records of all execs whose outcome can be seen by now. Call before any record of network use.
  Result<void> settle();
  /// When settle() is due again; nothing when no exec is open.
  std::optional<std::chrono::steady_clock::time_point> next_look() const;

 private:
  struct Open {
    pid_t pid;
    ProcDirectory process;
    ExecRequest request;
    std::optional<FileId> exe_before;
    std::vector<std::string> argv_before;
    ProcDirectory::Status status;
    std::chrono::steady_clock::time_point asked;
    std::chrono::steady_clock::time_point next_look;
  };
  enum class Outcome { unknown, verified, different, failed, gone };
  Outcome look(Open const& open) const;
  Result<void> write(Open const& open, Outcome outcome);

  audit::Sink& sink_;
  Clock const& clock_;
  CommandTable& table_;
  ExitWatch& exits_;
  std::list<Open> open_;
};

}  // namespace sallyport::jail
