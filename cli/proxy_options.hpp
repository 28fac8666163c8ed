#pragma once
// What the command line of `proxy` says. A value.

#include "base/limits.hpp"
#include "cli/session_options.hpp"
#include "policies/address_class.hpp"
#include "proxy/timeouts.hpp"

#include <chrono>
#include <cstddef>
#include <string>
#include <vector>

namespace sallyport::cli {

struct ProxyOptions {
  std::vector<std::string> policies;
  std::vector<std::string> allow;
  std::string tenants;                        // file of those who have policies of their own; empty: nobody
  std::vector<policies::Pin> pins;
  UpstreamOptions upstream;
  Placeholders placeholders;                  // of whoever is no tenant
  std::vector<std::string> ca_bundles;        // PEM files of authorities to trust besides the system's
  std::string ca_out;                         // where the session's own certificate goes, for the clients
  std::vector<std::string> listen;            // ADDRESS:PORT or unix:PATH: CONNECT, HTTP and SOCKS5
  std::vector<std::string> listen_tls;        // likewise: TLS by the name in its ClientHello
  std::string metrics;                        // ADDRESS:PORT; empty: none
  std::vector<policies::Cidr> allow_clients;  // besides those on this machine
  std::vector<policies::Cidr> balancers;      // whose connections say by PROXY protocol for whom they are
  bool balancers_on_unix = false;             // so do those to Unix listeners
  std::size_t threads = 1;                    // that serve, each with its own event loop
  std::size_t max_connections = limits::kMaxConnections;
  std::size_t max_connections_per_client = limits::kMaxConnectionsPerClient;
  proxy::Timeouts timeouts;
  std::chrono::milliseconds drain = limits::kDrainConnections;
  std::string audit;
};

}  // namespace sallyport::cli
