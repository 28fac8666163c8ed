#include "proxy/egress.hpp"

#include "base/limits.hpp"
#include "proxy/name_guard.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

namespace sallyport::proxy {

namespace reason = policies::reason;

namespace {

Refusal unreached(Error const& error, std::string_view why) {
  bool const late = error.code == Code::limit;
  return refusal(late ? 504 : 502, late ? reason::kTimeout : why, error.what);
}

Attempt<Upstream> upstream_of(Result<Dialed> dialed) {
  if (!dialed) return unreached(dialed.error(), reason::kConnectFailed);
  return Upstream{Stream(std::move(dialed->socket)), dialed->endpoint.address(), dialed->took, {}};
}

/// One attempt, by IPv4 if there is the choice: which families the proxy has is not known here.
policies::AllowedEndpoint to_ask_for(Endpoints const& endpoints) {
  auto const v4 = std::find_if(endpoints.begin(), endpoints.end(), [](auto const& each) { return each.address() && each.address()->is_v4(); });
  return v4 == endpoints.end() ? endpoints.front() : *v4;
}

/// By name: a proxy that got the address in the URL would tell it to the server as its name.
bool can_forward(policies::AllowedEndpoint const& endpoint) {
  return !endpoint.address() && endpoint.via()->kind != policies::UpstreamProxyKind::socks5;
}

awaitable<Attempt<Upstream>> hop(Endpoints endpoints, Passage passage, SessionDeps const& deps) {
  auto const endpoint = to_ask_for(endpoints);
  bool const forwards = passage == Passage::forward && can_forward(endpoint);
  auto hopped = co_await deps.hop.connect(endpoint, forwards ? Passage::forward : Passage::tunnel);
  if (!hopped) co_return unreached(hopped.error(), reason::kUpstreamProxy);
  co_return Upstream{std::move(hopped->stream), endpoint.address(), hopped->took, {}, forwards ? endpoint.via() : nullptr};
}

awaitable<Attempt<Upstream>> record_and_hop(audit::EgressRequest record, Endpoints endpoints, Passage passage, SessionDeps const& deps) {
  auto const written = co_await deps.audit.record(std::move(record));
  if (!written) co_return refusal(502, reason::kInternal, written.error().what);
  co_return co_await hop(std::move(endpoints), passage, deps);
}

/// A name that must not be asked for is the rule's request refused; what failed otherwise is nobody's.
Refusal not_resolved(policies::AllowedTarget const& target, Error const& error) {
  if (error.code != Code::denied) return refusal(502, reason::kResolveFailed, error.what);
  auto verdict = target.verdict();
  verdict.action = policies::Action::deny;
  verdict.reason = kNameRefused;
  verdict.hint = error.what;
  return refused_by(std::move(verdict));
}

}  // namespace

awaitable<Attempt<Addresses>> find_addresses(policies::AllowedTarget target, SessionDeps const& deps) {
  if (deps.engine.pinned(target)) co_return Addresses{};
  auto addresses = co_await deps.resolver.resolve(target);
  if (!addresses) co_return not_resolved(target, addresses.error());
  co_return std::move(*addresses);
}

Attempt<Endpoints> admit(policies::AllowedTarget const& target, Addresses const& addresses,
                         policies::Engine const& engine) {
  if (auto pinned = engine.pinned(target)) return Endpoints{*pinned};
  if (auto unresolved = engine.unresolved(target)) return Endpoints{*unresolved};
  auto admitted = engine.admit(target, addresses);
  if (!admitted) return Refusal{403, admitted.error()};
  return std::move(*admitted);
}

awaitable<Attempt<Endpoints>> find_endpoints(policies::AllowedTarget target, SessionDeps const& deps) {
  auto addresses = co_await find_addresses(target, deps);
  if (!addresses) co_return addresses.error();
  co_return admit(target, *addresses, deps.engine);
}

awaitable<Attempt<Upstream>> dial(Endpoints endpoints, Passage passage, SessionDeps const& deps) {
  if (endpoints.front().via()) co_return co_await hop(std::move(endpoints), passage, deps);
  auto dialed = co_await deps.dialer.connect(std::move(endpoints));
  co_return upstream_of(std::move(dialed));
}

awaitable<Attempt<Upstream>> record_and_dial(audit::EgressRequest record, Endpoints endpoints, Passage passage, SessionDeps const& deps) {
  using namespace asio::experimental::awaitable_operators;
  if (endpoints.front().via()) co_return co_await record_and_hop(std::move(record), std::move(endpoints), passage, deps);
  auto [written, dialed] = co_await (deps.audit.record(std::move(record)) && deps.dialer.connect(std::move(endpoints)));
  if (!written) co_return refusal(502, reason::kInternal, written.error().what);
  co_return upstream_of(std::move(dialed));
}

awaitable<Attempt<void>> secure(Upstream& upstream, policies::AllowedTarget target, ServerProtocols offer, SessionDeps const& deps) {
  auto ssl = deps.tls.upstream.connect(target.host(), target.port(), offer);
  if (!ssl) co_return refusal(502, reason::kInternal, ssl.error().what);
  upstream.stream.start_tls(std::move(*ssl));
  TimeLimit const limit(upstream.stream, limits::kTlsHandshakeTimeout, "TLS handshake");
  auto done = co_await upstream.stream.handshake();
  if (!done) co_return upstream_tls_refusal(*upstream.stream.tls(), target.host(), done.error());
  co_return Attempt<void>();
}

}  // namespace sallyport::proxy
