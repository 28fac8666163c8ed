#include "proxy/http2_responder.hpp"

#include "proxy/deny_reply.hpp"
#include "proxy/h2_head.hpp"

#include <utility>

namespace sallyport::proxy {
namespace {

constexpr std::uint32_t kNoError = 0, kInternalError = 2;  // RFC 9113 section 7

/// A stream becomes a WebSocket with 200 (RFC 8441 section 5).
int status_of(ResponseHead const& head) { return head.status == 101 ? 200 : head.status; }

}  // namespace

awaitable<Result<BodyPiece>> Http2BodySource::read() {
  auto bytes = co_await stream_.read_body();
  if (!bytes) co_return bytes.error();
  co_return BodyPiece{*bytes, bytes->empty()};
}

awaitable<Result<void>> Http2Responder::inform(ResponseHead const& head) {
  co_return stream_.inform(head.status, h2_response_fields(head));
}

awaitable<Result<void>> Http2Responder::respond(ResponseHead const& head, Next) {
  ended_ = std::holds_alternative<NoBody>(head.body);
  co_return stream_.respond(status_of(head), h2_response_fields(head), ended_ ? EndStream::yes : EndStream::no);
}

awaitable<Result<void>> Http2Responder::write(BodyPiece piece, std::vector<Field> const& trailers) {
  if (ended_) co_return Result<void>();
  ended_ = piece.last;
  auto const end = piece.last && trailers.empty() ? EndStream::yes : EndStream::no;
  if (!piece.content.empty()) {
    auto written = co_await stream_.write_body(piece.content, end);
    if (!written || !piece.last || end == EndStream::yes) co_return written;
  }
  if (!piece.last) co_return Result<void>();
  co_return co_await stream_.finish(h2_trailer_fields(trailers));
}

/// A stream that ended in order is over for the session, too.
awaitable<void> Http2Responder::wait_until_given_up() {
  co_await stream_.wait_until_cut();
  if (!ended_) co_return;
  Timer timer(co_await asio::this_coro::executor, Timer::time_point::max());
  co_await timer.async_wait();
}

void Http2Responder::cut() { stream_.reset(kInternalError); }

awaitable<void> Http2Responder::refuse(RefusedRequest refused) {
  auto const answer = deny_answer(refused.refusal.status, refused.refusal.verdict, refused.host, refused.accept);
  bool const without_body = refused.method == "HEAD";
  auto sent = stream_.respond(refused.refusal.status, answer.fields, without_body ? EndStream::yes : EndStream::no);
  if (sent && !without_body) co_await stream_.write_body(answer.body, EndStream::yes);
  ended_ = true;
  stream_.reset(kNoError);  // what the client still sends nobody reads (RFC 9113 section 8.1)
}

awaitable<void> Http2Responder::end(Next) { co_return; }

}  // namespace sallyport::proxy
