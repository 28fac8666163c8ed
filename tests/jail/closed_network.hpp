#pragma once
// The network of a jail, in the calling process's own network namespace (in_own_network()), and what a jailed program can
// do in it. One thread. Throws when the set-up is refused.

#include "base/unique_fd.hpp"
#include "jail/net_bridge.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace sallyport::jail {

Ipv6 host_ipv6();
/// A plan with nothing but its network parts.
Plan network_plan();

/// Loopback up, rules loaded, listeners and packet log open. The sockets stay open until the process ends.
BridgeSockets close_network(Plan const& plan);

/// errno of connecting to `address` (IPv4 or IPv6 text); 0 when connected, ETIMEDOUT when nothing answered in three
/// seconds.
int dial(std::string const& address, std::uint16_t port);
/// errno of sending a datagram and waiting for an answer; EAGAIN when nothing happened in half a second.
int send_datagram(std::string const& address, std::uint16_t port);

/// Whether somebody waits at a listener or a datagram does. Takes one of them.
bool takes_connection(int listener);
bool takes_datagram(int socket);

/// Prefixes of the packets that were reported by now.
std::vector<std::string> reported(int packet_log);

}  // namespace sallyport::jail
