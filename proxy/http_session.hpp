#pragma once
// The HTTP requests of one connection: each decided, recorded and answered alone.

#include "policies/canonical_host.hpp"
#include "proxy/client.hpp"
#include "proxy/http_exchange.hpp"
#include "proxy/kept_upstream.hpp"
#include "proxy/refusal.hpp"
#include "proxy/responder.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace sallyport::proxy {

/// The authority a tunnel was opened for.
struct TunnelTarget {
  policies::CanonicalHost host;
  std::uint16_t port = 0;
};

/// What a client said when it began the TLS that ends here.
struct ClientTlsFacts {
  std::string sni;
  std::vector<std::string> alpn;
};

/// How requests on this connection name their target.
struct HttpScope {
  audit::Leg leg = audit::Leg::absolute;
  std::optional<TunnelTarget> tunnel;  // set: origin-form, and Host is the tunnel's name; empty: absolute-form
  std::optional<ClientTlsFacts> tls;   // set: https
};

/// What lasts from one request of a client's connection to the next.
struct HttpConnection {
  HttpScope scope;
  std::optional<Addresses> addresses;  // found for the tunnel's host when it opened: for its first request
  KeptUpstream kept;
};

/// Where one request comes from and its answer goes. Lifetime: all outlive it.
struct RequestSide {
  Client const& client;
  BodySource& body;
  Responder& responder;
};

/// One request, top to bottom, with exactly one verdict record on every path. `head` was read from the client, its body
/// not. Thread: the gateway's. Lifetime: everything outlives the await.
awaitable<Next> serve_request(RequestSide side, RequestHead head, HttpConnection& connection, SessionDeps const& deps);

/// The next request of an HTTP/1.1 connection. The same.
awaitable<Next> serve_http1_request(Client& client, RequestHead head, HttpConnection& connection, SessionDeps const& deps);

/// Waits for the first byte of the connection's next request. An error when none comes in limits::kKeepAliveTimeout, or when a new
/// policy does not allow what the connection leads to.
awaitable<Result<void>> wait_next_request(Stream& client, HttpConnection const& connection, SessionDeps const& deps);

/// Requests inside a tunnel until the client closes, one is refused, or nothing comes for limits::kKeepAliveTimeout.
/// REQUIRES: a first byte is buffered.
awaitable<void> serve_http_tunnel(Client& client, HttpConnection connection, SessionDeps const& deps);

/// Records the refusal of something that is no request, and answers it.
awaitable<void> refuse_bad_request(RequestSide side, HttpScope const& scope, Refusal refusal, SessionDeps const& deps);

/// Records the refusal of something that is no request on an HTTP/1.1 connection, answers it, and closes.
awaitable<void> refuse_bad_head(Client& client, HttpScope const& scope, Refusal refusal, SessionDeps const& deps);

}  // namespace sallyport::proxy
