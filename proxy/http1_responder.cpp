#include "proxy/http1_responder.hpp"

#include "proxy/deny_reply.hpp"
#include "proxy/request_writer.hpp"

#include <chrono>

namespace sallyport::proxy {

awaitable<Result<void>> Http1Responder::inform(ResponseHead const& head) {
  if (minor_version_ == 0) co_return Result<void>();  // HTTP/1.0 clients do not know them
  auto const bytes = write_response_head(head, ClientConnection::keep_alive);
  co_return co_await client_.write(bytes);
}

awaitable<Result<void>> Http1Responder::respond(ResponseHead const& head, Next next, BodyComes body) {
  body_.emplace(client_, head.body);
  constexpr int kSwitchingProtocols = 101;
  auto const otherwise = next == Next::request ? ClientConnection::keep_alive : ClientConnection::close;
  auto bytes = write_response_head(head, head.status == kSwitchingProtocols ? ClientConnection::websocket : otherwise);
  if (body == BodyComes::later) co_return co_await client_.write(bytes);
  body_->lead_with(std::move(bytes));
  co_return Result<void>();
}

/// A client may send the end of its stream and still read. What it is killed with, or gives up with, looks the same: time
/// tells.
awaitable<void> Http1Responder::wait_until_given_up(Activity const& activity) {
  for (bool gone = false; !gone;) {
    co_await sleep_for(patience_.check);
    gone = client_.peer_has_ended() && std::chrono::steady_clock::now() - activity.last() >= patience_.timeout;
  }
}

awaitable<void> Http1Responder::refuse(RefusedRequest refused) {
  auto const reply =
      deny_reply(refused.refusal.status, refused.refusal.verdict, refused.host, refused.method, refused.accept);
  co_await client_.write(reply);
  co_await linger_close(client_);
}

awaitable<void> Http1Responder::end(Next next) {
  if (next == Next::close) co_await linger_close(client_);
}

}  // namespace sallyport::proxy
