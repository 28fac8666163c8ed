#pragma once
// Who made a connection: the process, and the commands that led to it. One thread.

#include "audit/event.hpp"
#include "jail/command_table.hpp"
#include "jail/socket_owner.hpp"

#include <optional>
#include <sys/types.h>

namespace sallyport::jail {

class ProcessFacts {
 public:
  ProcessFacts(SocketOwner owner, CommandTable const& table) : owner_(std::move(owner)), table_(table) {}

  /// Nothing when the socket or the process is gone.
  std::optional<audit::Process> of_flow(audit::Flow const& flow);
  std::optional<audit::Process> of_process(pid_t pid) const;

 private:
  SocketOwner owner_;
  CommandTable const& table_;
};

}  // namespace sallyport::jail
