#include "proxy/metrics.hpp"

#include <algorithm>

namespace sallyport::proxy {

void Histogram::add(std::uint64_t microseconds) {
  auto const bound = std::ranges::lower_bound(kBoundsMicroseconds, microseconds);
  if (bound != kBoundsMicroseconds.end()) ++counts_.at(static_cast<std::size_t>(bound - kBoundsMicroseconds.begin()));
  ++count_;
  sum_ += microseconds;
}

std::uint64_t Histogram::up_to(std::size_t bound) const {
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i <= bound; ++i) sum += counts_.at(i);
  return sum;
}

void Metrics::count_verdict(audit::EgressRequest const& request) {
  VerdictKey key{request.tenant, std::string(audit::to_string(request.leg)), request.verdict, request.rule, request.reason};
  if (numbers_.verdicts.size() >= kMaxSeries && !numbers_.verdicts.contains(key)) key.rule = "other";
  ++numbers_.verdicts[key];
}

void Metrics::count_end(std::uint64_t up, std::uint64_t down, std::uint64_t duration_us) {
  numbers_.bytes_up += up;
  numbers_.bytes_down += down;
  numbers_.durations.add(duration_us);
}

void Metrics::audit_written(std::chrono::microseconds took) {
  std::lock_guard const lock(mutex_);
  numbers_.audit_lag.add(static_cast<std::uint64_t>(took.count()));
}

void Metrics::policy_taken() {
  std::lock_guard const lock(mutex_);
  ++numbers_.reloads;
}

void Metrics::inspected(Inspected what, std::chrono::microseconds took) {
  std::lock_guard const lock(mutex_);
  numbers_.inspections.at(static_cast<std::size_t>(what)).add(static_cast<std::uint64_t>(took.count()));
}

void Metrics::count_lookup(Lookup how) {
  std::lock_guard const lock(mutex_);
  ++numbers_.lookups.at(static_cast<std::size_t>(how));
}

Metrics::Numbers Metrics::numbers() const {
  std::lock_guard const lock(mutex_);
  return numbers_;
}

void Metrics::count(audit::Event const& event) {
  std::lock_guard const lock(mutex_);
  if (auto const* request = std::get_if<audit::EgressRequest>(&event)) return count_verdict(*request);
  if (auto const* done = std::get_if<audit::EgressDone>(&event)) {
    if (!done->error.empty()) ++numbers_.failures;
    if (!done->address.empty()) numbers_.connects.add(done->connect_us);
    return count_end(done->bytes_up, done->bytes_down, done->duration_us);
  }
  auto const* tunnel = std::get_if<audit::EgressTunnel>(&event);
  if (tunnel == nullptr) return;
  if (tunnel->phase == audit::EgressTunnel::Phase::open) return numbers_.connects.add(tunnel->connect_us);
  if (!tunnel->error.empty()) ++numbers_.failures;
  count_end(tunnel->bytes_up, tunnel->bytes_down, tunnel->duration_us);
}

}  // namespace sallyport::proxy
