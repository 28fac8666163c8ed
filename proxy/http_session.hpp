#pragma once
// The HTTP requests of one connection: each decided, recorded and answered alone.

#include "policies/canonical_host.hpp"
#include "proxy/client.hpp"
#include "proxy/http_exchange.hpp"
#include "proxy/refusal.hpp"

#include <cstdint>
#include <optional>

namespace sallyport::proxy {

/// The authority a tunnel was opened for.
struct TunnelTarget {
  policies::CanonicalHost host;
  std::uint16_t port = 0;
};

/// How requests on this connection name their target.
struct HttpScope {
  audit::Leg leg = audit::Leg::absolute;
  std::optional<TunnelTarget> tunnel;  // set: origin-form, and Host is the tunnel's name; empty: absolute-form
};

/// One request, top to bottom, with exactly one verdict record on every path. `head` was read from the client, its body
/// not. Thread: the gateway's. Lifetime: everything outlives the await.
awaitable<Next> serve_request(Client& client, RequestHead head, HttpScope const& scope, SessionDeps const& deps);

/// Requests inside a tunnel until the client closes, one is refused, or nothing comes for limits::kKeepAliveTimeout.
/// REQUIRES: a first byte is buffered.
awaitable<void> serve_http_tunnel(Client& client, HttpScope scope, SessionDeps const& deps);

/// Records the refusal of something that is no request, answers it, and closes.
awaitable<void> refuse_bad_head(Client& client, HttpScope const& scope, Refusal refusal, SessionDeps const& deps);

}  // namespace sallyport::proxy
