#pragma once
// A tunnel: opened by CONNECT, SOCKS5 or by dialling an address, decided again when its first bytes are known, then
// relayed.

#include "proxy/client.hpp"
#include "proxy/http_session.hpp"
#include "proxy/refusal.hpp"

#include <string>

namespace sallyport::proxy {

struct TunnelRequest {
  audit::Leg leg = audit::Leg::connect;  // connect, socks5, transparent or sni
  TunnelTarget target;
  std::string accept;  // of the CONNECT request: which form a refusal takes
};

/// From the request for a tunnel to its end. A name that is not allowed, has no address or leads to an address the rule
/// does not admit is refused in the leg's own words before the tunnel opens; nothing is dialled before the first bytes are
/// read and name the same host. TLS is relayed as it is, or ends here where a rule wants to see requests; HTTP goes on request by request; anything else is closed. Thread:
/// the gateway's. Lifetime: everything outlives the await.
awaitable<void> serve_tunnel(Client& client, TunnelRequest request, SessionDeps const& deps);

/// A request for a tunnel that could not be understood: recorded, answered in the leg's own words, closed.
awaitable<void> refuse_bad_tunnel(Client& client, audit::Leg leg, Refusal refusal, SessionDeps const& deps);

}  // namespace sallyport::proxy
