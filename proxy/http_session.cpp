#include "proxy/http_session.hpp"

#include "base/limits.hpp"
#include "proxy/deny_reply.hpp"
#include "proxy/egress.hpp"
#include "proxy/egress_record.hpp"
#include "proxy/opening.hpp"

#include <chrono>
#include <string>

namespace sallyport::proxy {
namespace {

namespace reason = policies::reason;

Attempt<HttpTarget> target_of(RequestHead const& head, HttpScope const& scope) {
  auto target = scope.tunnel ? parse_origin_target(head, scope.tunnel->port) : parse_absolute_target(head);
  if (!target) return refusal(400, reason::kBadRequest, target.error().what);
  if (scope.tunnel && target->host != scope.tunnel->host) {
    return refusal(403, reason::kHostMismatch,
                   "Host is " + target->host.str() + ", the connection was opened for " + scope.tunnel->host.str());
  }
  return std::move(*target);
}

policies::Request request_of(RequestHead const& head, HttpTarget const& target) {
  policies::Request request{target.host, target.port, policies::Scheme::http, head.method, target.path};
  request.headers.reserve(head.fields.size());
  for (auto const& field : head.fields) request.headers.push_back({field.name, field.value});
  return request;
}

awaitable<Next> answer(Client& client, Refusal const& refusal, audit::EgressRequest const& record,
                       RequestHead const& head) {
  auto const accept = head.field("accept").value_or("");
  auto const reply = deny_reply(refusal.status, refusal.verdict, record.host, record.method, accept);
  co_await client.stream.write(reply);
  co_await linger_close(client.stream);
  co_return Next::close;
}

/// Records the denial, then answers: in this order, so that no client knows of a refusal the log does not have.
awaitable<Next> refuse(Client& client, Refusal refusal, audit::EgressRequest record, RequestHead const& head,
                       AuditPort& audit) {
  auto written = co_await audit.record(denied(record, refusal));
  if (written) co_return co_await answer(client, refusal, record, head);
  client.stream.reset();
  co_return Next::close;
}

audit::EgressDone done_record(std::uint64_t id, Upstream const& upstream, ExchangeEnd const& end,
                              std::chrono::steady_clock::time_point started) {
  auto const took = std::chrono::steady_clock::now() - started;
  audit::EgressDone done;
  done.id = id;
  done.address = upstream.address;
  done.status = end.status;
  done.bytes_up = end.bytes_up;
  done.bytes_down = end.bytes_down;
  done.connect_us = static_cast<std::uint64_t>(upstream.connect_time.count());
  done.duration_us = static_cast<std::uint64_t>(std::chrono::duration_cast<std::chrono::microseconds>(took).count());
  done.error = end.error;
  return done;
}

audit::EgressDone not_reached(std::uint64_t id, Refusal const& refusal) {
  audit::EgressDone done;
  done.id = id;
  done.error = refusal.verdict.hint;
  return done;
}

Refusal no_answer(ExchangeEnd const& end) {
  if (end.fault == Fault::idle) return refusal(504, reason::kTimeout, end.error);
  if (end.fault == Fault::client) return refusal(400, reason::kBadRequest, end.error);
  return refusal(502, reason::kConnectFailed, end.error);
}

}  // namespace

awaitable<Next> serve_request(Client& client, RequestHead head, HttpScope const& scope, SessionDeps const& deps) {
  auto const started = std::chrono::steady_clock::now();
  auto record = new_record(client, scope.leg, deps.audit);
  record.method = head.method;

  auto target = target_of(head, scope);
  if (!target) co_return co_await refuse(client, target.error(), std::move(record), head, deps.audit);
  auto const request = request_of(head, *target);
  set_request(record, request);

  auto permit = deps.engine.decide(request);
  if (!permit) co_return co_await refuse(client, refused_by(permit.error()), std::move(record), head, deps.audit);

  auto endpoints = co_await find_endpoints(*permit, deps);
  if (!endpoints) co_return co_await refuse(client, endpoints.error(), std::move(record), head, deps.audit);

  auto upstream = co_await record_and_dial(allowed(record, permit->verdict(), *endpoints), *endpoints, deps);
  if (!upstream) {
    deps.audit.post(not_reached(record.id, upstream.error()));
    co_return co_await answer(client, upstream.error(), record, head);
  }

  auto const end = co_await exchange(client.stream, upstream->stream, head, *target);
  deps.audit.post(done_record(record.id, *upstream, end, started));
  if (end.status == 0) co_return co_await answer(client, no_answer(end), record, head);
  if (end.next == Next::close) co_await linger_close(client.stream);
  co_return end.next;
}

awaitable<void> refuse_bad_head(Client& client, HttpScope const& scope, Refusal refusal, SessionDeps const& deps) {
  auto record = new_record(client, scope.leg, deps.audit);
  if (scope.tunnel) {
    record.host = scope.tunnel->host.str();
    record.port = scope.tunnel->port;
  }
  RequestHead const unread;
  co_await refuse(client, std::move(refusal), std::move(record), unread, deps.audit);
}

awaitable<void> serve_http_tunnel(Client& client, HttpScope scope, SessionDeps const& deps) {
  for (;;) {
    auto head = co_await read_request_head(client.stream);
    if (!head) co_return co_await refuse_bad_head(client, scope, head.error(), deps);
    auto next = co_await serve_request(client, std::move(*head), scope, deps);
    if (next == Next::close) co_return;
    auto first = co_await wait_first_byte(client.stream, limits::kKeepAliveTimeout);
    if (!first) co_return client.stream.close();
  }
}

}  // namespace sallyport::proxy
