#include "proxy/tunnel.hpp"

#include "base/limits.hpp"
#include "proxy/egress.hpp"
#include "proxy/egress_record.hpp"
#include "proxy/intercept.hpp"
#include "proxy/opening.hpp"
#include "proxy/relay.hpp"
#include "proxy/tunnel_answer.hpp"

#include <chrono>
#include <optional>

namespace sallyport::proxy {
namespace {

namespace reason = policies::reason;
using std::chrono::steady_clock;

policies::Request request_of(TunnelTarget const& target, policies::Scheme scheme, Asker const& asker) {
  policies::Request request{target.host, target.port, scheme, {}, std::nullopt};
  request.process = asker.executable;
  request.script = asker.script;
  return request;
}

/// The name in the ClientHello must be the tunnel's. An address has no SNI (RFC 6066 section 3): there it must be absent.
Attempt<void> check_sni(ClientHello const& hello, TunnelTarget const& target) {
  if (!hello.sni && target.host.is_address()) return Attempt<void>();
  if (!hello.sni) return refusal(403, reason::kNoSni, "the ClientHello names no host");
  if (*hello.sni == target.host) return Attempt<void>();
  return refusal(403, reason::kSniMismatch,
                 "SNI is " + hello.sni->str() + ", the connection was opened for " + target.host.str());
}

std::uint64_t microseconds_since(steady_clock::time_point start) {
  return static_cast<std::uint64_t>(
      std::chrono::duration_cast<std::chrono::microseconds>(steady_clock::now() - start).count());
}

/// One tunnel. Its record is filled in as more becomes known, and sent exactly once.
class Tunnel {
 public:
  Tunnel(Client& client, TunnelRequest request, SessionDeps const& deps)
      : client_(client), request_(std::move(request)), deps_(deps) {}

  /// What it takes to find the way is gone while the tunnel stands: most of its life it is idle.
  awaitable<void> run() {
    auto way = co_await find_way();
    if (way) co_await connect_and_relay(*std::move(way));
  }

  awaitable<void> refuse(Refusal refusal) {
    auto const recorded = co_await record_denied(refusal);
    if (!recorded) co_return;
    RefusedTunnel refused{request_.leg, request_.target.host.str(), request_.accept};
    co_await answer_refused(client_.stream, std::move(refusal), std::move(refused));
  }

 private:
  /// Of bytes that stay closed.
  struct Way {
    policies::AllowedTarget permit;
    Endpoints endpoints;
    RuleBudget::Connection slot;
  };
  using FoundWay = std::optional<Way>;  // nothing: it was refused, or served in another way

  awaitable<FoundWay> find_way() {
    asker_ = co_await asker_of(client_, deps_);
    auto permit = deps_.engine.decide(request_of(request_.target, policies::Scheme::tunnel, asker_));
    if (!permit) co_return co_await no_way(refuse(refused_by(permit.error())));
    if (!opened_answer(request_.leg).empty()) {
      auto opened = co_await open(*permit);
      if (!opened) co_return co_await no_way(refuse(opened.error()));
    }
    // Nothing of raw bytes is read before the server is there: it may be the one that speaks first.
    if (inspection() == policies::Inspect::raw) co_return co_await way_for(policies::Scheme::raw);
    auto opening = co_await read_opening(client_.stream, deps_.timeouts.head);
    if (auto const* hello = std::get_if<ClientHello>(&opening)) co_return co_await take_hello(*hello);
    if (std::holds_alternative<HttpOpening>(opening)) co_return co_await no_way(serve_http());
    if (auto const* bad = std::get_if<Refusal>(&opening)) co_return co_await no_way(refuse_bytes(*bad));
    co_return co_await no_way(end_unused());
  }

  static awaitable<FoundWay> no_way(awaitable<void> instead) {
    co_await std::move(instead);
    co_return std::nullopt;
  }

  /// Resolves and admits first, so that these failures reach the client in its own protocol; then says that it is open.
  awaitable<Attempt<void>> open(policies::AllowedTarget permit) {
    auto addresses = co_await find_addresses(permit, deps_);
    if (!addresses) co_return addresses.error();
    auto endpoints = admit(permit, *addresses, deps_.engine);
    if (!endpoints) co_return endpoints.error();
    addresses_ = std::move(*addresses);
    auto written = co_await client_.stream.write(opened_answer(request_.leg));
    if (!written) co_return refusal(400, reason::kNotTls, written.error().what);
    co_return Attempt<void>();
  }

  awaitable<FoundWay> take_hello(ClientHello const& hello) {
    speaks_tls_ = true;
    alpn_ = hello.alpn;
    if (hello.sni) sni_ = hello.sni->str();
    auto same_name = check_sni(hello, request_.target);
    if (!same_name) co_return co_await no_way(refuse_closed(same_name.error()));
    if (inspection() == policies::Inspect::full && deps_.tls.client.available()) co_return co_await no_way(intercept());
    co_return co_await way_for(policies::Scheme::tls);
  }

  awaitable<FoundWay> way_for(policies::Scheme scheme) {
    auto permit = deps_.engine.decide(request_of(request_.target, scheme, asker_));
    if (!permit) co_return co_await no_way(refuse_closed(refused_by(permit.error())));
    auto slot = take_slot(*permit);
    if (!slot) co_return co_await no_way(refuse_closed(slot.error()));
    live_.emplace(deps_.live, request_of(request_.target, scheme, asker_), activity_);
    auto endpoints = co_await endpoints_of(*permit);
    if (!endpoints) co_return co_await no_way(refuse_closed(endpoints.error()));
    co_return Way{*std::move(permit), *std::move(endpoints), *std::move(slot)};
  }

  /// One connection more under the rule's limits, for as long as the tunnel lives.
  Attempt<RuleBudget::Connection> take_slot(policies::AllowedTarget const& permit) {
    if (auto over = deps_.budget.start_request(permit.rule(), std::nullopt, steady_clock::now())) return refused_by(*std::move(over));
    auto slot = deps_.budget.open_connection(permit.rule());
    if (!slot) return refused_by(slot.error());
    return *std::move(slot);
  }

  awaitable<Attempt<Endpoints>> endpoints_of(policies::AllowedTarget permit) {
    if (!addresses_) co_return co_await find_endpoints(permit, deps_);
    co_return admit(permit, *addresses_, deps_.engine);
  }

  awaitable<void> connect_and_relay(Way way) {
    auto const started = steady_clock::now();
    audit::EgressTunnel tunnel;
    auto upstream = co_await connect(way, tunnel.id);
    if (!upstream) {
      post_close(tunnel, upstream.error().verdict.hint, started);
      if (!speaks_tls_) co_return client_.stream.reset();
      co_return co_await answer_refused_tls(client_.stream, upstream.error());
    }
    live_->reached(upstream->address);
    if (upstream->address) tunnel.address = upstream->address->to_string();
    tunnel.connect_us = static_cast<std::uint64_t>(upstream->connect_time.count());
    deps_.audit.post(tunnel);
    auto const end = co_await relay(client_.stream, upstream->stream, activity_, deps_.timeouts.idle, deps_.pipes);
    tunnel.bytes_up = end.bytes_up;
    tunnel.bytes_down = end.bytes_down;
    post_close(tunnel, end.error, started);
  }

  awaitable<Attempt<Upstream>> connect(Way const& way, std::uint64_t& id) {
    auto record = make_record();
    id = record.id;
    co_return co_await record_and_dial(allowed(std::move(record), way.permit.verdict(), way.endpoints), way.endpoints, Passage::tunnel, deps_);
  }

  policies::Inspect inspection() const { return deps_.engine.inspection(request_.target.host, request_.target.port); }

  awaitable<void> intercept() {
    HttpScope scope{request_.leg, request_.target, ClientTlsFacts{sni_, alpn_}};
    return serve_intercepted(client_, HttpConnection{std::move(scope), std::move(addresses_)}, deps_);
  }

  awaitable<void> serve_http() {
    HttpScope scope{request_.leg, request_.target, std::nullopt};
    return serve_http_tunnel(client_, HttpConnection{std::move(scope), std::move(addresses_)}, deps_);
  }

  awaitable<void> refuse_closed(Refusal refusal) {
    if (!speaks_tls_) co_return co_await refuse_bytes(std::move(refusal));
    auto const recorded = co_await record_denied(refusal);
    if (!recorded) co_return;
    co_await answer_refused_tls(client_.stream, std::move(refusal));
  }

  /// Nobody asked for anything over a captured connection that was opened and closed (clients that race addresses do that);
  /// a CONNECT or SOCKS5 request is a request even so.
  awaitable<void> end_unused() {
    if (request_.leg == audit::Leg::transparent) co_return client_.stream.close();
    auto const unused = refusal(400, reason::kNotTls, "the client closed the tunnel before its first byte");
    co_await refuse_bytes(unused);
  }

  /// Bytes that are neither TLS nor HTTP, or that nobody reads, have no way to be answered.
  awaitable<void> refuse_bytes(Refusal refusal) {
    auto const recorded = co_await record_denied(refusal);
    if (recorded) client_.stream.reset();
  }

  /// False when the record could not be written: then the client gets no answer either.
  awaitable<bool> record_denied(Refusal refusal) {
    auto written = co_await deps_.audit.record(denied(make_record(), refusal));
    if (!written) client_.stream.reset();
    co_return written.has_value();
  }

  audit::EgressRequest make_record() {
    auto record = new_record(client_, request_.leg, deps_.audit);
    set_request(record, request_of(request_.target, policies::Scheme::tunnel, asker_));
    record.sni = sni_;
    record.alpn = alpn_;
    return record;
  }

  void post_close(audit::EgressTunnel tunnel, std::string error, steady_clock::time_point started) {
    tunnel.phase = audit::EgressTunnel::Phase::close;
    tunnel.duration_us = microseconds_since(started);
    tunnel.error = std::move(error);
    deps_.audit.post(std::move(tunnel));
  }

  Client& client_;
  TunnelRequest request_;
  SessionDeps const& deps_;
  Asker asker_;
  std::optional<Addresses> addresses_;  // found before the tunnel opened
  Activity activity_;
  std::optional<LiveRequests::Entry> live_;  // from the decision about its bytes
  bool speaks_tls_ = false;
  std::string sni_;
  std::vector<std::string> alpn_;
};

}  // namespace

awaitable<void> serve_tunnel(Client& client, TunnelRequest request, SessionDeps const& deps) {
  Tunnel tunnel(client, std::move(request), deps);
  co_await tunnel.run();
}

awaitable<void> refuse_bad_tunnel(Client& client, audit::Leg leg, Refusal refusal, SessionDeps const& deps) {
  auto written = co_await deps.audit.record(denied(new_record(client, leg, deps.audit), refusal));
  if (!written) co_return client.stream.reset();
  RefusedTunnel refused{leg, {}, {}};
  co_await answer_refused(client.stream, std::move(refusal), std::move(refused));
}

}  // namespace sallyport::proxy
