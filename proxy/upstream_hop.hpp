#pragma once
// Connections through the operator's upstream proxy: dial it, TLS to it when its URL says https, and ask it for the tunnel.
// Thread: its worker's. Lifetime: outlives every connect().

#include "proxy/dialer.hpp"
#include "proxy/dns_resolver.hpp"
#include "proxy/stream.hpp"
#include "proxy/task_set.hpp"
#include "proxy/upstream_tls.hpp"

#include <chrono>

namespace sallyport::proxy {

/// What the proxy is there for. An HTTP proxy forwards requests that are not inside TLS; many let nobody tunnel to port 80.
enum class Passage { tunnel, forward };

struct Hopped {
  Stream stream;  // a tunnel's is a plain socket whatever lies below, and may hold bytes that the server sent first
  std::chrono::microseconds took{0};
};

class UpstreamHop {
 public:
  /// All outlive it. `tasks` carry what passes through TLS to the proxy.
  UpstreamHop(policies::Engine const& engine, DnsResolver& dns, Dialer const& dialer, UpstreamTls& tls, TaskSet& tasks)
      : engine_(engine), dns_(dns), dialer_(dialer), tls_(tls), tasks_(tasks) {}

  /// REQUIRES: endpoint.via() is the engine's upstream proxy, and the verdict is recorded. Errors name the proxy and what it said;
  /// Code::limit when it did not answer in time. Cancel-safe. Does not retry.
  awaitable<Result<Hopped>> connect(policies::AllowedEndpoint endpoint, Passage passage);

 private:
  awaitable<Result<Stream>> dial(policies::UpstreamProxy const& proxy);
  awaitable<Result<void>> start_tls(Stream& stream, policies::UpstreamProxy const& proxy);

  policies::Engine const& engine_;
  DnsResolver& dns_;
  Dialer const& dialer_;
  UpstreamTls& tls_;
  TaskSet& tasks_;
};

}  // namespace sallyport::proxy
