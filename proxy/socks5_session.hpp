#pragma once
// The SOCKS5 leg (RFC 1928): greeting and request, then the tunnel.

#include "proxy/client.hpp"

namespace sallyport::proxy {

/// REQUIRES: the first buffered byte is the version, 5. Thread: its worker's. Lifetime: everything outlives the await.
awaitable<void> serve_socks5(Client& client, SessionDeps const& deps);

}  // namespace sallyport::proxy
