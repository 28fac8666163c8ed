#pragma once
// The commands of a container that another engine started, as records: command.exec and command.exit, from the kernel's reports. A report is
// read after the exec, and /proc looked at then: of a process that ends at once only its name may be left, or not even that; the record says
// so. Nothing is held back or refused. One thread.

#include "audit/sink.hpp"
#include "base/clock.hpp"
#include "base/result.hpp"
#include "jail/attach_target.hpp"
#include "jail/command_table.hpp"
#include "jail/process_events.hpp"

#include <chrono>
#include <cstdint>
#include <map>
#include <string>

namespace sallyport::jail {

class ContainerCommands {
 public:
  /// Whatever lives in `network` belongs to the container. All references outlive this.
  ContainerCommands(ProcessEvents events, NamespaceId network, audit::Sink& sink, Clock const& clock)
      : events_(std::move(events)), network_(network), sink_(sink), clock_(clock) {}
  ContainerCommands(ContainerCommands const&) = delete;
  ContainerCommands& operator=(ContainerCommands const&) = delete;

  /// A record for each process that runs already.
  Result<void> record_running();
  int descriptor() const { return events_.descriptor(); }
  /// Writes the records of what has happened by now. Call before any record of network use.
  Result<void> settle();
  CommandTable const& table() const { return table_; }

 private:
  struct Running {
    std::uint64_t exec;  // seq of its last command.exec
    std::chrono::steady_clock::time_point since;
  };
  Result<void> apply(ProcessEvent const& event);
  audit::CommandExec describe(pid_t pid) const;
  Result<void> executed(pid_t pid, std::string remark);
  Result<void> exited(pid_t pid, int status);
  Result<void> forget_the_gone();
  bool belongs(pid_t pid) const;

  ProcessEvents events_;
  NamespaceId network_;
  audit::Sink& sink_;
  Clock const& clock_;
  CommandTable table_{[](pid_t) { return std::optional<pid_t>{}; }};  // forks are reported, so nobody is asked for parents
  std::map<pid_t, pid_t> members_;  // with the parent, 0 if nobody said
  std::map<pid_t, Running> running_;
};

}  // namespace sallyport::jail
