#include "proxy/http2_session.hpp"

#include "proxy/egress_record.hpp"
#include "proxy/h2_server.hpp"
#include "proxy/http2_responder.hpp"

#include <exception>

namespace sallyport::proxy {
namespace {

namespace reason = policies::reason;

constexpr std::uint32_t kInternalError = 2;  // RFC 9113 section 7

Refusal bad_head(Error const& error) {
  bool const large = error.code == Code::limit;
  return refusal(large ? 431 : 400, large ? reason::kTooLarge : reason::kBadRequest, error.what);
}

/// Of a connection inside TLS. An extended CONNECT (RFC 8441) asks for what a GET with an Upgrade asks for in HTTP/1.1.
Attempt<RequestHead> head_of(H2Request const& request) {
  auto head = request.head;
  bool const is_other_scheme = !request.scheme.empty() && request.scheme != "https";
  if (is_other_scheme) return refusal(400, reason::kBadRequest, "a :scheme other than https");
  if (request.protocol.empty()) return head;
  if (request.protocol != "websocket") return refusal(400, reason::kBadRequest, "a :protocol other than websocket");
  head.method = "GET";
  head.websocket = true;
  return head;
}

awaitable<void> answer_stream(Client& client, HttpConnection& connection, SessionDeps const& deps, H2ServerStream& stream) {
  Http2BodySource body(stream);
  Http2Responder responder(stream);
  RequestSide const side{client, body, responder};
  auto const& request = stream.request();
  if (!request) {
    auto const bad = bad_head(request.error());
    co_return co_await refuse_bad_request(side, connection.scope, bad, deps);
  }
  auto head = head_of(*request);
  if (!head) co_return co_await refuse_bad_request(side, connection.scope, head.error(), deps);
  co_await serve_request(side, std::move(*head), connection, deps);
}

/// A failure of ours is one request's, and on record; the connection and the others go on.
awaitable<void> serve_stream(Client& client, HttpConnection& connection, SessionDeps const& deps, H2ServerStream stream) {
  bool failed = false;
  try {
    co_await answer_stream(client, connection, deps, stream);
  } catch (std::exception const&) {
    if (is_cancellation(std::current_exception())) throw;
    failed = true;
  }
  if (!failed) co_return;
  stream.reset(kInternalError);
  auto const why = refusal(502, reason::kInternal, "the request failed inside the gateway");
  co_await deps.audit.record(denied(new_record(client, connection.scope.leg, deps.audit), why));
}

}  // namespace

awaitable<void> serve_http2(Client& client, HttpConnection connection, SessionDeps const& deps) {
  connection.offer = ServerProtocols::http2_or_http1;
  auto bounds = H2Limits::for_clients();
  bounds.keep_alive_timeout = deps.timeouts.keep_alive;
  H2ServerConnection http2(client.stream, bounds, deps.streams);
  auto const serve = [&](H2ServerStream stream) { return serve_stream(client, connection, deps, std::move(stream)); };
  auto const ended = co_await http2.run(serve);
  if (ended) client.stream.shutdown_send();
  client.stream.close();
}

}  // namespace sallyport::proxy
