#pragma once
// The HTTP/2 requests of one client connection, inside TLS that ends here: each stream is decided, recorded and answered alone.
// Source: RFC 9113.

#include "proxy/http_session.hpp"

namespace sallyport::proxy {

/// Until the client closes, floods, or sends nothing for Timeouts::keep_alive. Thread: its worker's. Lifetime: everything outlives
/// the await.
awaitable<void> serve_http2(Client& client, HttpConnection connection, SessionDeps const& deps);

}  // namespace sallyport::proxy
