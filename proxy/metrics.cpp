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
  if (verdicts_.size() >= kMaxSeries && !verdicts_.contains(key)) key.rule = "other";
  ++verdicts_[key];
}

void Metrics::count_end(std::uint64_t up, std::uint64_t down, std::uint64_t duration_us) {
  bytes_up_ += up;
  bytes_down_ += down;
  durations_.add(duration_us);
}

void Metrics::count(audit::Event const& event) {
  if (auto const* request = std::get_if<audit::EgressRequest>(&event)) return count_verdict(*request);
  if (auto const* done = std::get_if<audit::EgressDone>(&event)) {
    if (!done->error.empty()) ++failures_;
    if (!done->address.empty()) connects_.add(done->connect_us);
    return count_end(done->bytes_up, done->bytes_down, done->duration_us);
  }
  auto const* tunnel = std::get_if<audit::EgressTunnel>(&event);
  if (tunnel == nullptr) return;
  if (tunnel->phase == audit::EgressTunnel::Phase::open) return connects_.add(tunnel->connect_us);
  if (!tunnel->error.empty()) ++failures_;
  count_end(tunnel->bytes_up, tunnel->bytes_down, tunnel->duration_us);
}

}  // namespace sallyport::proxy
