#pragma once
// Both sides of TLS that ends in the gateway. Thread: one worker's; the clients' side is all workers'. Lifetime: outlives the sessions.

#include "proxy/client_tls.hpp"
#include "proxy/upstream_tls.hpp"

#include <utility>

namespace sallyport::proxy {

struct Tls {
  Tls(ClientTls& all_clients, TrustSources trust) : client(all_clients), upstream(std::move(trust)) {}

  ClientTls& client;
  UpstreamTls upstream;
};

}  // namespace sallyport::proxy
