#include "proxy/kept_upstream.hpp"

#include "base/limits.hpp"

#include <array>

namespace sallyport::proxy {
namespace {

using std::chrono::steady_clock;

bool fits_body(BodyKind const& body, steady_clock::time_point since) {
  return std::holds_alternative<NoBody>(body) || steady_clock::now() - since < limits::kReuseForBody;
}

}  // namespace

Endpoints admitted_again(policies::AllowedTarget const& permit, std::optional<policies::IpAddress> const& address,
                         policies::Engine const& engine) {
  if (auto const unresolved = engine.unresolved(permit)) return address ? Endpoints{} : Endpoints{*unresolved};
  if (!address) return {};
  if (auto const pinned = engine.pinned(permit)) return pinned->address() == address ? Endpoints{*pinned} : Endpoints{};
  std::array<policies::IpAddress, 1> const one = {*address};
  auto admitted = engine.admit(permit, one);
  return admitted ? std::move(*admitted) : Endpoints{};
}

void KeptUpstream::keep(UpstreamKey key, Upstream upstream) {
  kept_.emplace(Kept{std::move(key), std::move(upstream), steady_clock::now()});
}

std::optional<KeptUpstream::Taken> KeptUpstream::take(UpstreamKey const& key, policies::AllowedTarget const& permit, BodyKind const& body,
                                                      policies::Engine const& engine) {
  if (!kept_) return std::nullopt;
  Kept kept = std::move(*kept_);
  kept_.reset();
  if (kept.key != key || !fits_body(body, kept.since) || !kept.upstream.stream.is_quiet()) return std::nullopt;
  auto endpoints = admitted_again(permit, kept.upstream.address, engine);
  if (endpoints.empty()) return std::nullopt;
  kept.upstream.connect_time = {};
  return Taken{std::move(kept.upstream), std::move(endpoints)};
}

}  // namespace sallyport::proxy
