#pragma once
// Who made a connection: the process, and the commands that led to it. One thread.

#include "audit/event.hpp"
#include "base/clock.hpp"
#include "jail/command_table.hpp"
#include "jail/recent_dials.hpp"
#include "jail/socket_owner.hpp"

#include <optional>
#include <sys/types.h>

namespace sallyport::jail {

class ProcessFacts {
 public:
  ProcessFacts(SocketOwner owner, CommandTable const& table, Clock const& clock)
      : owner_(std::move(owner)), table_(table), clock_(clock) {}

  /// The owner of the socket; when that is closed already, who dialled this address last. Nothing when neither is known.
  std::optional<audit::Process> of_flow(audit::Flow const& flow);
  std::optional<audit::Process> of_process(pid_t pid) const;
  /// `pid` is about to dial.
  void note_dial(pid_t pid, Dial dial);

 private:
  SocketOwner owner_;
  CommandTable const& table_;
  Clock const& clock_;
  RecentDials dials_;
};

}  // namespace sallyport::jail
