#pragma once
// The listening sockets of a session, handed to the gateway: made inside the jail's network namespace, or where `proxy` was told to.

#include "base/unique_fd.hpp"

#include <optional>
#include <string>
#include <vector>

namespace sallyport::proxy {

/// Of `proxy`: whoever connects to one of these is this tenant.
struct TenantListeners {
  std::string tenant;
  std::vector<UniqueFd> explicit_proxy;
  std::vector<UniqueFd> sni;
};

/// All sockets non-blocking and close-on-exec. IPv4 and IPv6 sockets of one kind stand side by side.
struct ListenerFds {
  std::vector<UniqueFd> explicit_proxy;  // TCP or Unix, listening: CONNECT, absolute-form HTTP, SOCKS5
  std::vector<UniqueFd> transparent;     // TCP, listening: redirected connections; SO_ORIGINAL_DST has the address dialled
  std::vector<UniqueFd> sni;             // TCP or Unix, listening: TLS to port 443 of the name in its ClientHello
  std::vector<UniqueFd> dns_udp;         // UDP, bound to a loopback address, never to a wildcard
  std::vector<UniqueFd> dns_tcp;         // TCP, listening
  std::vector<TenantListeners> tenants;  // that have listeners of their own
  std::optional<UniqueFd> metrics;       // TCP or Unix, listening: counters for a scraper
  std::optional<UniqueFd> packet_log;    // nfnetlink_log socket: packets the namespace's rules rejected
};

}  // namespace sallyport::proxy
