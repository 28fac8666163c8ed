#pragma once
// TLS that ends in the gateway: the handshake with the client, then the requests inside, each decided by itself.

#include "proxy/http_session.hpp"

namespace sallyport::proxy {

/// The client's ClientHello is buffered, and names the tunnel's host. Answers with a certificate of the session's authority and serves
/// the requests that come. A client that does not accept it, or says nothing, is recorded once. REQUIRES: a tunnel and TLS in the scope,
/// deps.tls.client.available(). Thread: its worker's. Lifetime: everything outlives the await.
awaitable<void> serve_intercepted(Client& client, HttpConnection connection, SessionDeps const& deps);

/// What a failed handshake with a client says about it. `layer` is the client's.
Refusal client_tls_refusal(TlsFailure const& failure, policies::CanonicalHost const& host, Error const& error);

}  // namespace sallyport::proxy
