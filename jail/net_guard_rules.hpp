#pragma once
// The packet filter of `guard`: a namespace that has real devices, in which one uid, the gateway's, may use the network. One nf_tables
// transaction that replaces whatever table of ours is there, so that no packet sees a moment without rules. Pure: builds bytes.
// Sources: nft(8); the conntrack states of Linux net/netfilter/nf_conntrack_proto_tcp.c.

#include "jail/net_rules.hpp"

#include <cstdint>
#include <vector>

namespace sallyport::jail {

/// For every process but those of `gateway_uid`, IPv4 and IPv6 alike: TCP goes to the transparent port, port 53 to the DNS port, loopback is
/// free but for 127.0.0.11 (Docker's resolver), everything else is reported and rejected. From outside nothing comes in but answers to the
/// gateway; nothing is forwarded. The rules stay until the namespace goes: without a gateway behind them there is no network.
/// Does not stop a process with CAP_NET_ADMIN (removes the rules), CAP_NET_RAW (packet sockets) or CAP_SETUID (becomes the gateway's uid).
std::vector<std::uint8_t> build_guard_rules(NetPorts const& ports, std::uint32_t gateway_uid);

}  // namespace sallyport::jail
