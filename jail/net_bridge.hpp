#pragma once
// Inside the jail's network namespace: brings it up, closes it, and makes the sockets that the gateway listens on.
// Runs in the child between clone and exec: async-signal-safe, allocates nothing. Every function returns 0 or an errno.
// A socket belongs to the namespace it was made in, so the gateway, outside, is reached through these and nothing else.

#include "jail/plan.hpp"
#include "jail/step_error.hpp"

#include <cstdint>
#include <span>

namespace sallyport::jail {

/// A netlink socket of this namespace; -1 with errno.
int netlink_socket(int protocol, int flags) noexcept;
/// Sends `request` and reads its first answer.
int transact(int fd, std::span<std::uint8_t const> request) noexcept;

int bring_up_loopback(Plan const& plan) noexcept;
int load_net_rules(Plan const& plan) noexcept;

/// Descriptors in the order of socket_order; -1 where there is none. Non-blocking, close-on-exec.
struct BridgeSockets {
  int fds[socket_order::count];
};
int open_listeners(Plan const& plan, BridgeSockets& sockets) noexcept;
int open_packet_log(Plan const& plan, BridgeSockets& sockets) noexcept;
int open_socket_diag(BridgeSockets& sockets) noexcept;

}  // namespace sallyport::jail
