#pragma once
// Which jailed process has a socket: asked of the kernel with a socket_diag socket made in the jail's network namespace.
// One thread; may block for a netlink round trip (microseconds). Source: sock_diag(7).

#include "audit/event.hpp"
#include "base/unique_fd.hpp"

#include <functional>
#include <optional>
#include <sys/types.h>
#include <vector>

namespace sallyport::jail {

class SocketOwner {
 public:
  /// `init` is PID 1 of the jail, as the host sees it.
  SocketOwner(UniqueFd socket_diag, pid_t init);
  /// Where there is no such process: `processes` lists those that may have the socket.
  using Processes = std::function<std::vector<pid_t>()>;
  SocketOwner(UniqueFd socket_diag, Processes processes) : diag_(std::move(socket_diag)), processes_(std::move(processes)) {}

  /// The process that has the socket `flow` names (its local and remote address), the oldest of the family if several do.
  /// Nothing when the socket is closed already. Does not tell who made a socket that was handed on.
  std::optional<pid_t> find(audit::Flow const& flow);

 private:
  std::optional<std::uint64_t> inode_of(audit::Flow const& flow);
  UniqueFd diag_;
  Processes processes_;
};

}  // namespace sallyport::jail
