#pragma once
// Both sides of TLS that ends in the gateway. Thread: the gateway's. Lifetime: outlives the sessions.

#include "proxy/client_tls.hpp"
#include "proxy/upstream_tls.hpp"

#include <optional>
#include <utility>

namespace sallyport::proxy {

struct Tls {
  Tls(std::optional<SessionCa> ca, TrustSources trust) : client(std::move(ca)), upstream(std::move(trust)) {}

  ClientTls client;
  UpstreamTls upstream;
};

}  // namespace sallyport::proxy
