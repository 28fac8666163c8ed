#pragma once
// What a client's connection knows from one HTTP request to the next. Values and what is kept open. Thread: its worker's.

#include "audit/event.hpp"
#include "policies/canonical_host.hpp"
#include "proxy/egress.hpp"
#include "proxy/kept_upstream.hpp"
#include "proxy/shared_upstream.hpp"
#include "proxy/tls_protocols.hpp"

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
  KeptUpstream kept = {};
  SharedUpstream shared = {};
  ServerProtocols offer = ServerProtocols::http1;  // to servers: what the client's own protocol goes well with
};

}  // namespace sallyport::proxy
