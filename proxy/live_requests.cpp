#include "proxy/live_requests.hpp"

#include <span>
#include <string>

namespace sallyport::proxy {
namespace {

/// Why `engine` would not let it be; nothing if it would.
std::optional<std::string> objection(policies::Request const& request, std::optional<policies::IpAddress> const& address,
                                     policies::Engine const& engine) {
  auto const permit = engine.decide(request);
  if (!permit) return permit.error().reason;
  if (!address || engine.pinned(*permit)) return std::nullopt;
  auto const admitted = engine.admit(*permit, std::span(&*address, 1));
  if (!admitted) return admitted.error().reason;
  return std::nullopt;
}

}  // namespace

std::size_t LiveRequests::recheck(policies::Engine const& engine) {
  std::size_t ended = 0;
  for (auto& live : live_) {  // revoking wakes a coroutine later, it does not run it here
    auto const why = objection(live.request, live.address, engine);
    if (!why) continue;
    live.activity.revoke("the policy was changed and does not allow it any more: " + *why);
    ++ended;
  }
  return ended;
}

}  // namespace sallyport::proxy
