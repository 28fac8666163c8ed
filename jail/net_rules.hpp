#pragma once
// The packet filter of a jail's network namespace, as one nf_tables transaction. Pure: builds bytes, sends nothing.
// Sources: nft(8), libnftnl, Linux include/uapi/linux/netfilter/nf_tables.h.

#include <cstdint>
#include <vector>

namespace sallyport::jail {

/// Ports inside the namespace, on 127.0.0.1 and ::1.
struct NetPorts {
  std::uint16_t explicit_proxy = 3128;
  std::uint16_t transparent = 3129;
  std::uint16_t dns = 53;
};

/// nfnetlink_log group to which rejected packets are reported, with the prefixes below.
inline constexpr std::uint16_t kPacketLogGroup = 1;
inline constexpr char kUdpPrefix[] = "udp";            // a datagram that is not DNS
inline constexpr char kProtocolPrefix[] = "proto";     // neither TCP nor UDP
inline constexpr char kLoopbackPrefix[] = "loopback";  // TCP to a loopback port on which nothing listens

/// How long the rules live: with the namespace, or with the netlink socket that loads them (nobody else can change them then; Linux 5.12).
enum class TableLife { as_the_namespace, as_the_socket };

/// Netlink bytes of the transaction: TCP to any address outside 127/8 and ::1 is redirected to the transparent port; UDP and TCP
/// port 53 to the DNS port, whatever the address; loopback is free; everything else is reported and rejected at once.
/// Works in a namespace owned by an unprivileged user namespace. Rejected packets above 1,000 a second are not reported.
std::vector<std::uint8_t> build_net_rules(NetPorts const& ports, TableLife life = TableLife::as_the_namespace);

}  // namespace sallyport::jail
