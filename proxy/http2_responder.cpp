#include "proxy/http2_responder.hpp"

#include "proxy/deny_reply.hpp"
#include "proxy/h2_head.hpp"

#include <utility>

namespace sallyport::proxy {
namespace {

constexpr std::uint32_t kNoError = 0, kInternalError = 2, kCancel = 8, kEnhanceYourCalm = 11;  // RFC 9113 section 7

/// A stream becomes a WebSocket with 200 (RFC 8441 section 5).
int status_of(ResponseHead const& head) { return head.status == 101 ? 200 : head.status; }

}  // namespace

awaitable<Result<void>> Http2Responder::inform(ResponseHead const& head) {
  co_return stream_.inform(head.status, h2_response_fields(head));
}

awaitable<Result<void>> Http2Responder::respond(ResponseHead const& head, Next, BodyComes) {
  if (std::holds_alternative<NoBody>(head.body)) body_.end();
  co_return stream_.respond(status_of(head), h2_response_fields(head), body_.ended() ? EndStream::yes : EndStream::no);
}

/// A stream that ended in order is over for the session, too.
awaitable<void> Http2Responder::wait_until_given_up(Activity const&) {
  co_await stream_.wait_until_cut();
  if (!body_.ended()) co_return;
  Timer timer(co_await asio::this_coro::executor, Timer::time_point::max());
  co_await timer.async_wait();
}

/// Of what a server can say, these are about the request; the rest is between it and us.
void Http2Responder::cut(std::optional<std::uint32_t> server_code) {
  bool const passed_on = server_code == kCancel || server_code == kEnhanceYourCalm;
  stream_.reset(passed_on ? *server_code : kInternalError);
}

awaitable<void> Http2Responder::refuse(RefusedRequest refused) {
  auto const answer = deny_answer(refused.refusal.status, refused.refusal.verdict, refused.host, refused.accept);
  bool const without_body = refused.method == "HEAD";
  auto sent = stream_.respond(refused.refusal.status, answer.fields, without_body ? EndStream::yes : EndStream::no);
  if (sent && !without_body) co_await stream_.write_body(answer.body, EndStream::yes);
  body_.end();
  stream_.reset(kNoError);  // what the client still sends nobody reads (RFC 9113 section 8.1)
}

awaitable<void> Http2Responder::end(Next) { co_return; }

}  // namespace sallyport::proxy
