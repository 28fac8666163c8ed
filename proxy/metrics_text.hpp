#pragma once
// Metrics in the text format of Prometheus, version 0.0.4 (prometheus.io/docs/instrumenting/exposition_formats). Pure; any
// thread.

#include "proxy/client_gate.hpp"
#include "proxy/metrics.hpp"

#include <string>

namespace sallyport::proxy {

std::string metrics_text(Metrics::Numbers const& numbers, ClientGate::Counts const& clients);

}  // namespace sallyport::proxy
