#pragma once
// Closes the network namespace of a container from outside and makes the gateway's sockets in it, as one transaction: everything stands,
// or nothing is left. Host side, one thread: a forked child enters the namespace and ends.

#include "base/result.hpp"
#include "base/unique_fd.hpp"
#include "jail/attach_target.hpp"
#include "jail/net_links.hpp"
#include "jail/net_rules.hpp"

#include <cstdint>
#include <string_view>

namespace sallyport::jail {

/// In order. The rules come before the routes: at no moment does an address lead anywhere but to the gateway.
enum class AttachStep : std::int32_t { none, enter, devices, net_rules, links, listeners, packet_log, socket_diag, hand_over };
std::string_view describe(AttachStep step);

/// In a container the port 53 may be wanted by a server of its own.
inline constexpr NetPorts kAttachPorts{3128, 3129, 3130};

/// What keeps the network as it is. When `rules` is closed, by us or by our death, the packet filter is gone, and with it the redirection;
/// the namespace still has nothing but loopback.
struct AttachedNetwork {
  UniqueFd socket_diag;  // made in the namespace
  UniqueFd rules;        // owns the nf_tables table
  UniqueFd routes;       // a NETLINK_ROUTE socket of the namespace
  Ipv6 ipv6;
};

/// The listening sockets are sent to `sockets_fd` (SOCK_SEQPACKET), as the jail's are. Refuses a namespace that has a device besides
/// loopback, and one that a gateway serves already. `fail_at`: fault injection by tests.
Result<AttachedNetwork> attach_network(AttachTarget const& target, int sockets_fd, AttachStep fail_at = AttachStep::none);

/// Takes routes and rules away. A namespace that is gone already is fine.
void detach_network(AttachedNetwork network);

}  // namespace sallyport::jail
