#include "proxy/egress.hpp"

#include "base/limits.hpp"

namespace sallyport::proxy {

namespace reason = policies::reason;

awaitable<Attempt<Addresses>> find_addresses(policies::AllowedTarget target, SessionDeps const& deps) {
  if (deps.engine.pinned(target)) co_return Addresses{};
  auto addresses = co_await with_deadline(limits::kResolveTimeout, "resolve", deps.resolver.resolve(target));
  if (!addresses) co_return refusal(502, reason::kResolveFailed, addresses.error().what);
  co_return std::move(*addresses);
}

Attempt<Endpoints> admit(policies::AllowedTarget const& target, Addresses const& addresses,
                         policies::Engine const& engine) {
  if (auto pinned = engine.pinned(target)) return Endpoints{*pinned};
  auto admitted = engine.admit(target, addresses);
  if (!admitted) return Refusal{403, admitted.error()};
  return std::move(*admitted);
}

awaitable<Attempt<Endpoints>> find_endpoints(policies::AllowedTarget target, SessionDeps const& deps) {
  auto addresses = co_await find_addresses(target, deps);
  if (!addresses) co_return addresses.error();
  co_return admit(target, *addresses, deps.engine);
}

awaitable<Attempt<Upstream>> record_and_dial(audit::EgressRequest record, Endpoints endpoints, SessionDeps const& deps) {
  using namespace asio::experimental::awaitable_operators;
  auto [written, dialed] = co_await (deps.audit.record(std::move(record)) && deps.dialer.connect(std::move(endpoints)));
  if (!written) co_return refusal(502, reason::kInternal, written.error().what);
  if (!dialed) {
    bool const late = dialed.error().code == Code::limit;
    co_return refusal(late ? 504 : 502, late ? reason::kTimeout : reason::kConnectFailed, dialed.error().what);
  }
  auto address = dialed->endpoint.address().to_string();
  co_return Upstream{Stream(std::move(dialed->socket)), std::move(address), dialed->took};
}

}  // namespace sallyport::proxy
