#pragma once
// Messages of the kernel's packet log (nfnetlink_log): packets that the jail's firewall rules rejected. No I/O; any thread.
// The packets in them are hostile bytes. Sources: <linux/netfilter/nfnetlink_log.h>, RFC 791, RFC 8200.

#include "base/result.hpp"
#include "policies/address_class.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace sallyport::proxy {

/// What is known of one rejected packet.
struct RejectedPacket {
  std::string prefix;  // the rule's log prefix
  int protocol = 0;    // IANA number; the last next-header that could be followed
  policies::IpAddress source;
  policies::IpAddress destination;
  std::uint16_t source_port = 0;  // TCP and UDP only, and only if the packet is long enough
  std::uint16_t destination_port = 0;
};

/// All packets in one datagram of the log socket; messages of other types are skipped. Error::invalid when the netlink
/// framing does not add up. A packet whose IP header cannot be read is left out.
Result<std::vector<RejectedPacket>> parse_reject_messages(std::string_view datagram);

/// "tcp", "udp", "icmp", "icmpv6", or the number.
std::string protocol_name(int protocol);

}  // namespace sallyport::proxy
