#pragma once
// Netlink messages that make every address local to the jail's network namespace. Pure: builds bytes, sends nothing.
// Sources: rtnetlink(7), Documentation/networking/nfnetlink_log (uapi linux/netfilter/nfnetlink_log.h).

#include <cstdint>
#include <vector>

namespace sallyport::jail {

enum class Ipv6 : bool { absent, present };

/// NETLINK_ROUTE: lo up, and a local route for 0.0.0.0/0 and ::/0 on lo ("AnyIP"). The last message asks for an acknowledgement.
std::vector<std::uint8_t> build_net_links(Ipv6 ipv6);

/// NETLINK_ROUTE: the route for ::/0 alone, for a namespace that shows only when loopback is up whether it has IPv6.
std::vector<std::uint8_t> build_ipv6_link();

/// NETLINK_ROUTE: takes the two routes away again; lo stays as it is. Each message asks for an acknowledgement.
std::vector<std::uint8_t> build_net_unlinks(Ipv6 ipv6);

/// NETLINK_NETFILTER: binds the sending socket to kPacketLogGroup and asks for the first `snap_bytes` of each packet.
std::vector<std::uint8_t> build_packet_log_bind(std::uint32_t snap_bytes);

}  // namespace sallyport::jail
