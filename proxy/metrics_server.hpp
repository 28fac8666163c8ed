#pragma once
// The metrics listener: GET /metrics, /healthz and /readyz (RFC 9112), one request a connection. Who can reach it may ask.
// Thread: its worker's. Lifetime: what it refers to outlives its tasks.

#include "proxy/client_gate.hpp"
#include "proxy/metrics.hpp"
#include "proxy/stream.hpp"
#include "proxy/task_set.hpp"

#include <string>
#include <string_view>

namespace sallyport::proxy {

enum class Readiness { ready, draining };

class MetricsServer {
 public:
  MetricsServer(Metrics const& metrics, ClientGate const& gate, TaskSet& connections)
      : metrics_(metrics), gate_(gate), connections_(connections) {}

  /// Accepts until cancelled; at most limits::kMaxMetricsConnections at a time, each for limits::kHeadTimeout.
  awaitable<void> run(Acceptor acceptor);
  void set_readiness(Readiness readiness) { readiness_ = readiness; }

 private:
  awaitable<void> serve(Stream client);
  std::string answer_to(std::string_view method, std::string_view path) const;

  Metrics const& metrics_;
  ClientGate const& gate_;
  TaskSet& connections_;
  Readiness readiness_ = Readiness::ready;
};

}  // namespace sallyport::proxy
