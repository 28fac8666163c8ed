#include "proxy/session.hpp"

#include "base/limits.hpp"
#include "proxy/egress_record.hpp"
#include "proxy/http_session.hpp"
#include "proxy/opening.hpp"
#include "proxy/request_target.hpp"
#include "proxy/socks5_session.hpp"
#include "proxy/task_set.hpp"
#include "proxy/tunnel.hpp"

#include <exception>
#include <optional>

namespace sallyport::proxy {
namespace {

namespace reason = policies::reason;

constexpr char kSocksVersion = 0x05;
constexpr std::uint16_t kSniPort = 443;

Attempt<TunnelRequest> tunnel_asked_for(RequestHead const& head) {
  auto authority = parse_connect_authority(head.target);
  if (!authority) return refusal(400, reason::kBadHost, authority.error().what);
  return TunnelRequest{audit::Leg::connect, {authority->host, authority->port}, std::string(head.field("accept").value_or(""))};
}

/// Until the connection ends, or a CONNECT comes.
awaitable<std::optional<Attempt<TunnelRequest>>> serve_requests(Client& client, SessionDeps const& deps) {
  HttpConnection connection{HttpScope{audit::Leg::absolute, std::nullopt, std::nullopt}, {}, {}};
  for (;;) {
    auto head = co_await read_request_head(client.stream, deps.timeouts.head);
    if (!head) {
      co_await refuse_bad_head(client, connection.scope, head.error(), deps);
      co_return std::nullopt;
    }
    if (head->method == "CONNECT") co_return tunnel_asked_for(*head);
    auto next = co_await serve_http1_request(client, std::move(*head), connection, deps);
    if (next == Next::close) co_return std::nullopt;
    auto first = co_await wait_next_request(client.stream, connection, deps);
    if (!first) {
      client.stream.close();
      co_return std::nullopt;
    }
  }
}

/// What a head took is gone while a tunnel stands.
awaitable<void> serve_http_proxy(Client& client, SessionDeps const& deps) {
  auto tunnel = co_await serve_requests(client, deps);
  if (!tunnel) co_return;
  if (!*tunnel) co_return co_await refuse_bad_tunnel(client, audit::Leg::connect, tunnel->error(), deps);
  co_await serve_tunnel(client, **std::move(tunnel), deps);
}

awaitable<void> refuse_tls(Client& client, SessionDeps const& deps) {
  auto const bad = refusal(400, reason::kBadRequest, "TLS was sent to a port that speaks HTTP and SOCKS5");
  HttpScope const scope;
  co_await refuse_bad_head(client, scope, bad, deps);
}

awaitable<void> serve_explicit(Client& client, SessionDeps const& deps) {
  auto first = co_await wait_first_byte(client.stream, limits::kFirstByteTimeout);
  if (!first) co_return client.stream.close();  // nothing was asked for
  if (client.stream.buffered().front() == kSocksVersion) co_return co_await serve_socks5(client, deps);
  if (looks_like_tls(client.stream.buffered())) co_return co_await refuse_tls(client, deps);
  co_await serve_http_proxy(client, deps);
}

/// What the client dialled: the name behind a synthetic address, or a real address, which only a rule that names it allows.
awaitable<void> serve_transparent(Client& client, std::optional<Peer> dialled, SessionDeps const& deps) {
  if (!dialled) {
    auto const bad = refusal(403, reason::kIpLiteral, "the connection was not redirected here");
    co_return co_await refuse_bad_tunnel(client, audit::Leg::transparent, bad, deps);
  }
  auto const name = deps.names.name_of(dialled->address);
  auto const host = name ? *name : policies::CanonicalHost::from(dialled->address);
  TunnelRequest request{audit::Leg::transparent, {host, dialled->port}, {}};
  co_await serve_tunnel(client, std::move(request), deps);
}

/// TLS to port 443 of the name in its ClientHello, which stays buffered for the tunnel to read.
awaitable<void> serve_sni(Client& client, SessionDeps const& deps) {
  auto opening = co_await read_opening(client.stream, deps.timeouts.head);
  if (std::holds_alternative<NothingSent>(opening)) co_return client.stream.close();
  auto why = refusal(400, reason::kNotTls, "this listener takes TLS only");
  if (auto* bad = std::get_if<Refusal>(&opening)) why = std::move(*bad);
  auto const* hello = std::get_if<ClientHello>(&opening);
  if (hello == nullptr) co_return co_await refuse_bad_tunnel(client, audit::Leg::sni, why, deps);
  if (!hello->sni) {
    auto const nameless = refusal(403, reason::kNoSni, "the ClientHello names no host");
    co_return co_await refuse_bad_tunnel(client, audit::Leg::sni, nameless, deps);
  }
  TunnelRequest request{audit::Leg::sni, {*hello->sni, kSniPort}, {}};
  co_await serve_tunnel(client, std::move(request), deps);
}

awaitable<void> serve(Arrival& arrival, SessionDeps const& deps) {
  if (arrival.door == Door::sni) return serve_sni(arrival.client, deps);
  if (arrival.door == Door::transparent) return serve_transparent(arrival.client, arrival.dialled, deps);
  return serve_explicit(arrival.client, deps);
}

awaitable<void> record_failure(Client& client, SessionDeps const& deps) {
  client.stream.reset();
  auto const failure = refusal(502, reason::kInternal, "the session failed inside the gateway");
  co_await deps.audit.record(denied(new_record(client, audit::Leg::connect, deps.audit), failure));
}

}  // namespace

awaitable<void> run_session(Arrival arrival, SessionDeps deps) {
  std::exception_ptr failure;
  try {
    co_await serve(arrival, deps);
  } catch (...) { failure = std::current_exception(); }
  if (!failure) co_return;
  if (is_cancellation(failure)) std::rethrow_exception(failure);
  co_await record_failure(arrival.client, deps);
}

}  // namespace sallyport::proxy
