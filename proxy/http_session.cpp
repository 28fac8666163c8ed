#include "proxy/http_session.hpp"

#include "base/ascii.hpp"
#include "base/defer.hpp"
#include "base/limits.hpp"
#include "proxy/budgeted_body.hpp"
#include "proxy/egress_record.hpp"
#include "proxy/grpc_framing.hpp"
#include "proxy/head_redaction.hpp"
#include "proxy/http1_body.hpp"
#include "proxy/http1_responder.hpp"
#include "proxy/http_exchange.hpp"
#include "proxy/inspected_body.hpp"
#include "proxy/inspected_requester.hpp"
#include "proxy/opening.hpp"
#include "proxy/request_refusals.hpp"
#include "proxy/request_writer.hpp"
#include "proxy/server_reach.hpp"
#include "proxy/whole_body.hpp"

#include <chrono>
#include <string>
#include <utility>

namespace sallyport::proxy {
namespace {

namespace reason = policies::reason;
using std::chrono::steady_clock;

UrlScheme scheme_of(HttpScope const& scope) { return scope.tls ? UrlScheme::https : UrlScheme::http; }

Attempt<HttpTarget> target_of(RequestHead const& head, HttpScope const& scope) {
  auto target = scope.tunnel ? parse_origin_target(head, scope.tunnel->port) : parse_absolute_target(head);
  if (!target) return refusal(400, reason::kBadRequest, target.error().what);
  if (scope.tunnel && target->host != scope.tunnel->host) {
    return refusal(403, reason::kHostMismatch,
                   "Host is " + target->host.str() + ", the connection was opened for " + scope.tunnel->host.str());
  }
  target->scheme = scheme_of(scope);
  return std::move(*target);
}

/// Refers to `head`.
policies::Request request_of(RequestHead const& head, HttpTarget const& target, Asker asker, policies::Engine const& engine) {
  auto const scheme = target.scheme == UrlScheme::https ? policies::Scheme::https : policies::Scheme::http;
  policies::Request request{target.host, target.port, scheme, head.method, target.path};
  request.process = std::move(asker.executable);
  request.script = std::move(asker.script);
  if (head.websocket) request.upgrade = policies::Upgrade::websocket;
  if (!engine.reads_headers()) return request;
  request.headers.reserve(head.fields.size());
  for (auto const& field : head.fields) request.headers.push_back({field.name, field.value});
  return request;
}

BodyForm form_of(RequestHead const& head) {
  BodyForm form{head.field("content-encoding").value_or("")};
  if (is_grpc(head)) form.grpc_coding = head.field("grpc-encoding").value_or("");
  return form;
}

audit::EgressRequest record_of(Client const& client, HttpScope const& scope, AuditPort& audit) {
  auto record = new_record(client, scope.leg, audit);
  record.scheme = scope.tls ? "https" : "http";
  if (!scope.tls) return record;
  record.sni = scope.tls->sni;
  record.alpn = scope.tls->alpn;
  return record;
}

/// Where a connection leads that waits for its next request: its tunnel's host, or the server of the request before.
std::optional<TunnelTarget> open_target(HttpConnection const& connection) {
  if (connection.scope.tunnel) return connection.scope.tunnel;
  if (auto const kept = connection.kept.key()) return TunnelTarget{kept->host, kept->port};
  return std::nullopt;
}

/// So that what comes back can be searched as it comes.
void ask_for_plain_answer(RequestHead& head) {
  std::erase_if(head.fields, [](Field const& field) { return lower_case(field.name) == "accept-encoding"; });
  head.fields.push_back({"Accept-Encoding", "identity"});
}

/// One request. Its record is filled in as more becomes known, and sent exactly once.
class Request {
 public:
  Request(RequestSide side, RequestHead head, HttpConnection& connection, SessionDeps const& deps)
      : side_(side), head_(std::move(head)), connection_(connection), deps_(deps),
        record_(record_of(side.client, connection.scope, deps.audit)) {
    record_.method = head_.method;
  }

  awaitable<Next> run() {
    auto target = target_of(head_, connection_.scope);
    if (!target) co_return co_await refuse(target.error());
    auto const handshake = read_handshake();
    auto asker = co_await asker_of(side_.client, deps_);
    auto const request = request_of(head_, *target, std::move(asker), deps_.engine);
    set_request(record_, request);
    if (!handshake) co_return co_await refuse(handshake.error());
    auto permit = deps_.engine.decide(request);
    if (!permit) co_return co_await refuse(refused_by(permit.error()));
    if (auto over = deps_.budget.start_request(permit->rule(), declared_bytes(), steady_clock::now())) {
      co_return co_await refuse(refused_by(*std::move(over)));
    }
    LiveRequests::Entry live(deps_.live, request, activity_);
    co_return co_await pass(*permit, *target, live);
  }

  /// Records the denial, then answers: in this order, so that no client knows of a refusal the log does not have.
  awaitable<Next> refuse(Refusal refusal) {
    auto written = co_await deps_.audit.record(denied(record_, refusal));
    if (written) co_return co_await answer(refusal);
    side_.responder.cut(std::nullopt);
    co_return Next::close;
  }

  /// Something that is no request: the tunnel's host is all that is known.
  awaitable<Next> refuse_unread(Refusal refusal) {
    if (auto const& tunnel = connection_.scope.tunnel) {
      record_.host = tunnel->host.str();
      record_.port = tunnel->port;
    }
    return refuse(std::move(refusal));
  }

 private:
  /// Of a request that asks to become a WebSocket. A wrong one is not passed on, not even as the request it is without.
  Attempt<void> read_handshake() {
    if (!asks_for_websocket(head_)) return Attempt<void>();
    auto offer = read_websocket_offer(head_);
    if (!offer) return refusal(400, reason::kBadRequest, offer.error().what);
    head_ = websocket_request(std::move(head_), *offer);
    offer_ = std::move(*offer);
    return Attempt<void>();
  }

  awaitable<Next> pass(policies::AllowedTarget permit, HttpTarget target, LiveRequests::Entry& live) {
    auto inspected = co_await inspect(permit, target);
    if (!inspected) co_return co_await refuse(inspected.error());
    record_credentials();
    budgeted_.emplace(body(), deps_.budget, permit.rule());
    WebSocketGuard const guard{deps_.inspection, deps_.budget, permit, record_.id, echoes()};
    if (offer_) websocket_.emplace(*offer_, guard, side_.body);
    UpstreamKey const key{target.host, target.port, target.scheme};
    ServerReach server(record_, connection_, deps_, offer_ ? ServerProtocols::http1 : ServerProtocols::http2_or_http1);
    auto link = co_await server.reach(permit, key, head_.body);
    if (!link && !server.recorded()) co_return co_await refuse(link.error());
    if (!link) co_return co_await end_unreached(link.error());
    if (is_grpc(head_) && !link->speaks_http2()) co_return co_await end_unreached(no_grpc(target.host));
    bool ended = false;
    Defer const cut_off([&] {
      if (!ended) deps_.audit.post(done_record(*link, {.error = "cut off: the gateway ended"}));
    });
    auto end = co_await send(*link, target, permit, live);
    if (may_try_again(end, server)) {
      auto fresh = co_await server.reach_anew(permit, key);
      ended = !fresh;
      if (!fresh) co_return co_await end_unreached(fresh.error());
      link = std::move(fresh);
      end = co_await send(*link, target, permit, live);
    }
    ended = true;
    deps_.audit.post(done_record(*link, end));
    if (end.status == 0) {
      auto const why = found_late().value_or(no_answer(end, link->is_forwarded() ? AnswerFrom::upstream_proxy : AnswerFrom::server));
      co_return co_await answer(why);
    }
    bool const is_kept = end.upstream == After::reusable && end.next == Next::request && !link->speaks_http2();
    if (is_kept) connection_.kept.keep(key, link->take_http1());
    co_await side_.responder.end(end.next);
    co_return end.next;
  }

  awaitable<ExchangeEnd> send(ServerLink& link, HttpTarget const& target, policies::AllowedTarget const& permit, LiveRequests::Entry& live) {
    live.reached(link.address());
    auto const bare = link.requester();
    InspectedMessage const response{record_.id, permit, echoes(), Direction::response};
    if (!deps_.inspection.reads_response(response)) co_return co_await exchange_with(*bare, target);
    InspectedRequester server(*bare, deps_.inspection, response, deps_.timeouts.idle);
    auto end = co_await exchange_with(server, target);
    held_back_ = server.refusal();
    co_return end;
  }

  awaitable<ExchangeEnd> exchange_with(Requester& server, HttpTarget const& target) {
    auto const& sent_target = brokered_ ? brokered_->target : target;
    Patience const patience{activity_, deps_.timeouts.idle};
    if (!websocket_) co_return co_await exchange(side_.responder, *budgeted_, server, head(), sent_target, patience);
    auto const asking = websocket_->request_head(head());
    co_return co_await exchange(side_.responder, *budgeted_, server, asking, sent_target, patience, &*websocket_);
  }

  /// Before anything is looked up or dialled: the head that would be sent, and of the body what has to be seen before any of it goes.
  /// Credentials take the place of their placeholders in what is sent, and are not in what is looked at.
  awaitable<Attempt<void>> inspect(policies::AllowedTarget permit, HttpTarget& target) {
    if (!deps_.broker.empty()) {
      auto brokered = co_await broker(target);
      if (!brokered) co_return brokered.error();
    }
    InspectedMessage message{record_.id, permit};
    if (brokered_) message.swaps = body_swaps(*brokered_);
    if (!echoes().empty()) ask_for_plain_answer(brokered_->head);
    auto const head = brokered_ ? write_request_head(brokered_->shown_head, brokered_->shown_target, UpstreamConnection::keep_alive)
                                : write_request_head(head_, target, UpstreamConnection::keep_alive);
    auto const looked = deps_.inspection.inspect_head(message, head);
    if (!looked) co_return looked.error();
    if (!looked->empty()) brokered_ ? redact(brokered_->head, brokered_->target, *looked) : redact(head_, target, *looked);
    if (std::holds_alternative<NoBody>(head_.body)) co_return Attempt<void>();
    auto inspector = deps_.inspection.inspect_body(message, form_of(head_));
    if (!inspector) co_return inspector.error();
    if (*inspector == nullptr) co_return Attempt<void>();
    inspected_.emplace(source(), *std::move(inspector));
    if (is_grpc(head_)) co_return Attempt<void>();  // its client may wait for the server before it says anything
    co_return co_await prime_body();
  }

  /// A signature over the body can be made when the body is there.
  awaitable<Attempt<void>> broker(HttpTarget const& target) {
    if (deps_.broker.needs_body(head_, target)) {
      auto told = co_await go_on_if_expected();
      if (!told) co_return told.error();
      auto const taken = co_await whole_.emplace(side_.body).take_in(limits::kMaxSignedBodyBytes, deps_.timeouts.idle);
      if (!taken) co_return no_body(taken.error());
    }
    brokered_.emplace(deps_.broker.swap(head_, target, whole_ ? whole_->content() : std::string_view()));
    if (brokered_->signs_chunks) co_return signed_chunks();
    co_return Attempt<void>();
  }

  /// Whoever waits for a 100 (RFC 9110 section 10.1.1) gets it from here: the body is read before the server hears of it.
  awaitable<Attempt<void>> go_on_if_expected() {
    if (!std::exchange(head_.expect_continue, false)) co_return Attempt<void>();
    if (brokered_) brokered_->head.expect_continue = false;
    ResponseHead go_on;
    go_on.status = 100;
    go_on.reason_phrase = "Continue";
    auto written = co_await side_.responder.inform(go_on);
    if (!written) co_return no_body(written.error());
    co_return Attempt<void>();
  }

  awaitable<Attempt<void>> prime_body() {
    auto told = co_await go_on_if_expected();
    if (!told) co_return told.error();
    auto primed = co_await inspected_->prime(deps_.timeouts.idle);
    if (auto secret = found_late()) co_return *std::move(secret);
    if (!primed) co_return no_body(primed.error());
    co_return Attempt<void>();
  }

  void record_credentials() {
    if (!brokered_) return;
    for (auto const& name : brokered_->signed_with) deps_.audit.post(audit::CredentialUse{record_.id, name, record_.host, "signature", false});
    for (auto const& name : brokered_->used) deps_.audit.post(audit::CredentialUse{record_.id, name, record_.host, "head", false});
  }

  /// As it is sent.
  RequestHead const& head() const { return brokered_ ? brokered_->head : head_; }
  std::vector<BodySwap> body_swaps(BrokeredRequest const& request) const {
    std::vector<BodySwap> swaps;
    for (auto const& name : request.in_body) swaps.push_back({name, deps_.broker.value_of(name)});
    return swaps;
  }
  /// What a server could send back of the credentials that the request carries, and what then takes its place.
  std::vector<BodySwap> echoes() const {
    std::vector<BodySwap> swaps;
    if (!brokered_) return swaps;
    for (auto const* names : {&brokered_->used, &brokered_->in_body}) {
      for (auto const& name : *names) swaps.push_back({name, deps_.broker.placeholder_of(name)});
    }
    return swaps;
  }
  BodySource& source() { return whole_ ? static_cast<BodySource&>(*whole_) : side_.body; }
  BodySource& body() { return inspected_ ? static_cast<BodySource&>(*inspected_) : source(); }

  /// Why the body must not go on, perhaps when some of it had gone.
  std::optional<Refusal> found_late() const {
    if (inspected_ && inspected_->refusal()) return inspected_->refusal();
    if (held_back_) return held_back_;
    if (websocket_ && websocket_->end().refusal) return websocket_->end().refusal;
    return budgeted_ ? budgeted_->refusal() : std::nullopt;
  }

  std::optional<std::uint64_t> declared_bytes() const {
    auto const* length = std::get_if<ContentLength>(&head_.body);
    return length != nullptr ? std::optional(length->bytes) : std::nullopt;
  }

  /// A server may close a connection it kept, at the moment the next request is sent over it. Nobody has seen an answer, and there is
  /// no body that is gone: once more, over a new one (RFC 9110 section 9.2.2 leaves it to the client otherwise). A request that the
  /// server says it has not looked at may always be sent again (RFC 9113 section 8.7).
  bool may_try_again(ExchangeEnd const& end, ServerReach const& server) const {
    bool const can_repeat = std::holds_alternative<NoBody>(head_.body) && (head_.method == "GET" || head_.method == "HEAD");
    return end.status == 0 && end.fault == Fault::upstream && !held_back_ && (end.seen == Seen::nothing || (server.reused() && can_repeat));
  }

  awaitable<Next> end_unreached(Refusal why) {
    audit::EgressDone done;
    done.id = record_.id;
    done.reason = why.verdict.reason;
    done.error = why.verdict.hint;
    deps_.audit.post(std::move(done));
    co_return co_await answer(why);
  }

  awaitable<Next> answer(Refusal refusal) {
    auto const accept = head_.field("accept").value_or("");
    RefusedRequest refused{std::move(refusal), record_.host, record_.method, accept};
    co_await side_.responder.refuse(std::move(refused));
    co_return Next::close;
  }

  audit::EgressDone done_record(ServerLink const& link, ExchangeEnd const& end) const {
    auto const took = steady_clock::now() - started_;
    audit::EgressDone done;
    done.id = record_.id;
    if (link.address()) done.address = link.address()->to_string();
    done.status = end.status;
    done.bytes_up = end.bytes_up;
    done.bytes_down = end.bytes_down;
    done.messages_up = end.messages_up;
    done.messages_down = end.messages_down;
    done.connect_us = static_cast<std::uint64_t>(link.connect_time().count());
    done.duration_us = static_cast<std::uint64_t>(std::chrono::duration_cast<std::chrono::microseconds>(took).count());
    done.error = end.error;
    if (auto const secret = found_late()) done.reason = secret->verdict.reason;
    return done;
  }

  RequestSide side_;
  RequestHead head_;
  HttpConnection& connection_;
  SessionDeps const& deps_;
  audit::EgressRequest record_;
  std::optional<BrokeredRequest> brokered_;
  std::optional<WholeBody> whole_;  // set: a signature depends on it
  std::optional<InspectedBody> inspected_;
  std::optional<BudgetedBody> budgeted_;
  std::optional<WebSocketOffer> offer_;  // set: the request asks to become a WebSocket
  std::optional<WebSocketUpgrade> websocket_;
  std::optional<Refusal> held_back_;  // why the response must not go on
  steady_clock::time_point started_ = steady_clock::now();
  Activity activity_;
};

}  // namespace

awaitable<Next> serve_request(RequestSide side, RequestHead head, HttpConnection& connection, SessionDeps const& deps) {
  Request request(side, std::move(head), connection, deps);
  co_return co_await request.run();
}

awaitable<Next> serve_http1_request(Client& client, RequestHead head, HttpConnection& connection, SessionDeps const& deps) {
  Http1BodySource body(client.stream, asks_for_websocket(head) ? BodyKind(UntilClose{}) : head.body);
  Http1Responder responder(client.stream, head.minor_version);
  RequestSide const side{client, body, responder};
  co_return co_await serve_request(side, std::move(head), connection, deps);
}

awaitable<void> refuse_bad_request(RequestSide side, HttpScope const& scope, Refusal refusal, SessionDeps const& deps) {
  HttpConnection connection{scope, {}};
  Request request(side, RequestHead(), connection, deps);
  co_await request.refuse_unread(std::move(refusal));
}

awaitable<void> refuse_bad_head(Client& client, HttpScope const& scope, Refusal refusal, SessionDeps const& deps) {
  RequestHead const none;
  Http1BodySource body(client.stream, none.body);
  Http1Responder responder(client.stream, none.minor_version);
  RequestSide const side{client, body, responder};
  co_await refuse_bad_request(side, scope, std::move(refusal), deps);
}

awaitable<Result<void>> wait_next_request(Stream& client, HttpConnection const& connection, SessionDeps const& deps) {
  auto const target = open_target(connection);
  if (!target) co_return co_await wait_first_byte(client, deps.timeouts.keep_alive);
  Activity activity;
  LiveRequests::Entry const live(deps.live, policies::Request{target->host, target->port, policies::Scheme::tunnel, {}, std::nullopt}, activity);
  co_return co_await wait_first_byte(client, activity, deps.timeouts.keep_alive);
}

awaitable<void> serve_http_tunnel(Client& client, HttpConnection connection, SessionDeps const& deps) {
  for (;;) {
    auto head = co_await read_request_head(client.stream, deps.timeouts.head);
    if (!head) co_return co_await refuse_bad_head(client, connection.scope, head.error(), deps);
    auto next = co_await serve_http1_request(client, std::move(*head), connection, deps);
    if (next == Next::close) co_return;
    auto first = co_await wait_next_request(client.stream, connection, deps);
    if (!first) co_return client.stream.close();
  }
}

}  // namespace sallyport::proxy
