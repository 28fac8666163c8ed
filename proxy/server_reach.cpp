#include "proxy/server_reach.hpp"

#include "proxy/egress_record.hpp"

#include <utility>

namespace sallyport::proxy {

namespace reason = policies::reason;

awaitable<Attempt<ServerLink>> ServerReach::reach(policies::AllowedTarget permit, UpstreamKey key, BodyKind body) {
  if (offer() == ServerProtocols::http2_or_http1) co_await connection_.shared.wait_for_turn();
  Endpoints endpoints;
  auto link = take(key, permit, body, endpoints);
  if (!link) co_return co_await reach_anew(permit, key);
  reused_ = true;
  auto written = co_await deps_.audit.record(allowed(record_, permit.verdict(), endpoints));
  recorded_ = true;
  if (!written) co_return refusal(502, reason::kInternal, written.error().what);
  co_return *std::move(link);
}

std::optional<ServerLink> ServerReach::take(UpstreamKey const& key, policies::AllowedTarget const& permit, BodyKind const& body,
                                            Endpoints& endpoints) {
  auto shared = needs_http1_ ? std::nullopt : connection_.shared.take(key, permit, deps_.engine);
  if (shared) {
    endpoints = std::move(shared->endpoints);
    return ServerLink(std::move(shared->upstream), {});
  }
  auto kept = connection_.kept.take(key, permit, body, deps_.engine);
  if (!kept) return std::nullopt;
  endpoints = std::move(kept->endpoints);
  return ServerLink(std::move(kept->upstream));
}

awaitable<Attempt<ServerLink>> ServerReach::reach_anew(policies::AllowedTarget permit, UpstreamKey key) {
  reused_ = false;
  auto const executor = co_await asio::this_coro::executor;
  auto const turn = connection_.shared.take_turn(executor);
  auto upstream = co_await dial_anew(permit, key.scheme);
  if (!upstream) co_return upstream.error();
  co_return link_over(std::move(key), *std::move(upstream));
}

/// A server that speaks only HTTP/2 says so to who offers HTTP/1.1 alone, and is then dialled once more.
awaitable<Attempt<Upstream>> ServerReach::dial_anew(policies::AllowedTarget permit, UrlScheme scheme) {
  auto const passage = scheme == UrlScheme::http && !needs_http1_ ? Passage::forward : Passage::tunnel;  // a WebSocket needs a tunnel
  for (;;) {
    auto slot = deps_.budget.open_connection(permit.rule());
    if (!slot) co_return refused_by(slot.error());
    auto endpoints = co_await endpoints_for(permit);
    if (!endpoints) co_return endpoints.error();
    auto upstream = co_await connect(permit, std::move(*endpoints), passage);
    if (upstream) upstream->slot = *std::move(slot);
    if (!upstream || scheme == UrlScheme::http) co_return std::move(upstream);
    auto secured = co_await secure(*upstream, permit, offer(), deps_);
    if (secured) co_return std::move(upstream);
    bool const other_protocol = is_no_common_protocol(upstream->stream.tls()->failure().alert);
    if (!other_protocol || needs_http1_ || connection_.offer == ServerProtocols::http2_or_http1) co_return secured.error();
    connection_.offer = ServerProtocols::http2_or_http1;
  }
}

awaitable<Attempt<Endpoints>> ServerReach::endpoints_for(policies::AllowedTarget permit) {
  auto const found = std::exchange(connection_.addresses, std::nullopt);
  if (found) co_return admit(permit, *found, deps_.engine);
  co_return co_await find_endpoints(permit, deps_);
}

awaitable<Attempt<Upstream>> ServerReach::connect(policies::AllowedTarget permit, Endpoints endpoints, Passage passage) {
  if (std::exchange(recorded_, true)) return dial(std::move(endpoints), passage, deps_);
  return record_and_dial(allowed(record_, permit.verdict(), endpoints), endpoints, passage, deps_);
}

ServerLink ServerReach::link_over(UpstreamKey key, Upstream upstream) {
  auto const* const tls = upstream.stream.tls();
  bool const http2 = tls != nullptr && agreed_protocol(tls->ssl()) == kHttp2;
  if (tls != nullptr && !http2 && !needs_http1_) connection_.offer = ServerProtocols::http1;  // it had the choice: nothing to share, nobody has to wait
  if (!http2) return ServerLink(std::move(upstream));
  auto const took = upstream.connect_time;
  auto shared = std::make_shared<Http2Upstream>(std::move(key), std::move(upstream), deps_.streams, deps_.live);
  connection_.shared.share(shared);
  return {std::move(shared), took};
}

}  // namespace sallyport::proxy
