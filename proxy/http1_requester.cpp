#include "proxy/http1_requester.hpp"

#include "proxy/proxy_authorization.hpp"
#include "proxy/request_writer.hpp"

#include <utility>
#include <variant>

namespace sallyport::proxy {

namespace {

constexpr int kSwitchingProtocols = 101;

UpstreamConnection connection_of(RequestHead const& head) {
  if (head.websocket) return UpstreamConnection::websocket;
  return head.minor_version == 0 ? UpstreamConnection::close : UpstreamConnection::keep_alive;
}

/// That is between the proxy and us: a client that got it would take us for the one that asks.
Error asked_to_authenticate(policies::UpstreamProxy const& proxy, ResponseHead const& head) {
  return Error{Code::denied, 0, "upstream proxy " + to_string(proxy) + ": " + proxy_refusal(head.status, head.reason_phrase)};
}

}  // namespace

awaitable<Result<void>> Http1Requester::request(RequestHead const& head, HttpTarget const& target) {
  method_ = head.method;
  websocket_ = head.websocket;
  sink_.emplace(server_, websocket_ ? BodyKind(UntilClose{}) : head.body);
  auto const connection = connection_of(head);
  auto const bytes = forwarder_ != nullptr ? write_forwarded_head(head, target, connection, *forwarder_) : write_request_head(head, target, connection);
  co_return co_await server_.write(bytes);
}

awaitable<Result<ResponseHead>> Http1Requester::read_head() {
  for (;;) {
    auto step = parse_response_head(server_.buffered(), method_);
    if (auto* error = std::get_if<Error>(&step)) co_return std::move(*error);
    if (auto* parsed = std::get_if<Parsed<ResponseHead>>(&step)) {
      server_.consume(parsed->head_bytes);
      if (forwarder_ != nullptr && parsed->head.status == kProxyAuthenticationRequired) co_return asked_to_authenticate(*forwarder_, parsed->head);
      if (websocket_ && parsed->head.status == kSwitchingProtocols) parsed->head.body = UntilClose{};
      if (parsed->head.status >= 200 || parsed->head.body == BodyKind(UntilClose{})) on_final_head(parsed->head);
      co_return std::move(parsed->head);
    }
    auto more = co_await server_.read_more();
    if (!more) co_return more.error();
  }
}

void Http1Requester::on_final_head(ResponseHead const& head) {
  source_.emplace(server_, head.body);
  bool const keeps = head.keep_alive && !std::holds_alternative<UntilClose>(head.body);
  after_ = keeps ? After::reusable : After::close;
}

/// Bytes behind the response are no part of it, and nobody asked for more.
After Http1Requester::after() { return server_.buffered().empty() ? after_ : After::close; }

}  // namespace sallyport::proxy
