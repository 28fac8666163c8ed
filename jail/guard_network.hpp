#pragma once
// The network of `guard`, in the caller's own namespace. One thread; REQUIRES CAP_NET_ADMIN.

#include "base/result.hpp"
#include "base/unique_fd.hpp"

#include <cstdint>

namespace sallyport::jail {

/// Closes the network to everybody but `gateway_uid`. Replaces earlier rules of ours without a gap.
Result<void> close_guarded_network(std::uint32_t gateway_uid);

/// Makes the gateway's sockets and sends them to `sockets_fd`, as a jail does; returns the socket_diag socket.
Result<UniqueFd> open_guarded_sockets(int sockets_fd);

/// Takes NET_ADMIN and NET_RAW from this process and from all that it executes.
Result<void> give_up_network_power();

/// As a process of the container would: asks the DNS stub for `allowed` (an answer is expected unless it is empty) and for a name that no
/// policy allows (NXDOMAIN is expected). REQUIRES that the gateway's
/// records are written meanwhile: call it in a process of its own.
Result<void> test_guarded_network(char const* allowed);

}  // namespace sallyport::jail
