#pragma once
// The client's side of SOCKS5: a tunnel through a SOCKS proxy. Thread: its worker's. Sources: RFC 1928, RFC 1929.

#include "policies/canonical_host.hpp"
#include "policies/upstream_proxy.hpp"
#include "proxy/stream.hpp"

#include <cstdint>

namespace sallyport::proxy {

/// Asks for a connection to `host`, which may be an address, over `stream`, which is connected to `proxy`; what follows on it is the
/// connection's. Code::denied when the proxy says no, with its answer; Code::invalid when it speaks no SOCKS5. Sets no deadline.
awaitable<Result<void>> open_by_socks5(Stream& stream, policies::UpstreamProxy const& proxy, policies::CanonicalHost host, std::uint16_t port);

}  // namespace sallyport::proxy
