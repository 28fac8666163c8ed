#include "proxy/websocket_relay.hpp"

#include "base/limits.hpp"
#include "proxy/websocket_lane.hpp"

#include <boost/asio/post.hpp>

#include <memory>
#include <utility>

namespace sallyport::proxy {
namespace {

constexpr std::uint16_t kProtocolError = 1002;  // RFC 6455 section 7.4.1
constexpr std::uint16_t kInconsistentData = 1007;
constexpr std::uint16_t kPolicyViolation = 1008;

enum class Flow { on, over };

/// Lets other coroutines run.
awaitable<void> yield_once() { co_await asio::post(co_await asio::this_coro::executor, asio::use_awaitable_t<Executor>()); }

class Relay {
 public:
  Relay(WebSocketEnds ends, WebSocketGuard& guard, std::optional<DeflateParameters> const& deflate, Activity& activity,
        Farewell& farewell, WebSocketEnd& end, Executor const& executor)
      : ends_(ends),
        guard_(guard),
        activity_(activity),
        farewell_(farewell),
        end_(end),
        up_(WebSocketSide::client, ends.to_server, guard.inspection, {guard.request, guard.permit}, deflate, executor),
        down_(WebSocketSide::server, ends.to_client, guard.inspection,
              {guard.request, guard.permit, guard.echoes, Direction::response}, deflate, executor) {}

  awaitable<void> run() {
    using namespace asio::experimental::awaitable_operators;
    co_await (pump(ends_.from_client, up_) || pump(ends_.from_server, down_) || take_leave());
  }

 private:
  awaitable<void> pump(BodySource& from, WebSocketLane& lane) {
    for (auto flow = Flow::on; flow == Flow::on;) {
      auto piece = co_await from.read();
      if (!piece) co_return note_end(lane);
      activity_.touch();
      if (!is_ending_) flow = co_await pass(lane, piece->content);
      if (piece->last) co_return note_end(lane);
    }
    co_await sleep_for(limits::kDrainTimeout);  // the other pump ends earlier if its sender does
  }

  /// It was allowed until now.
  awaitable<void> take_leave() {
    co_await farewell_.wait();
    co_await close_both(kPolicyViolation, std::string(policies::reason::kPolicyChanged));
    co_await sleep_for(limits::kDrainTimeout);
  }

  void note_end(WebSocketLane const& lane) {
    if (!was_closed_ && end_.error.empty()) end_.error = std::string("the ") + lane.sender() + " went away without a Close frame";
  }

  awaitable<Flow> pass(WebSocketLane& lane, std::string_view bytes) {
    while (!bytes.empty() && !is_ending_) {
      auto const step = lane.reader().next(bytes);
      if (!step) co_return co_await break_off(lane, kProtocolError, step.error());
      bytes.remove_prefix(step->consumed);
      if (step->piece.kind == WebSocketPiece::Kind::nothing) continue;
      auto const flow = co_await take(lane, step->piece);
      if (flow == Flow::over) co_return flow;
    }
    co_return Flow::on;
  }

  awaitable<Flow> take(WebSocketLane& lane, WebSocketPiece const& piece) {
    return piece.kind == WebSocketPiece::Kind::data ? take_data(lane, piece) : take_control(lane, piece);
  }

  awaitable<Flow> take_data(WebSocketLane& lane, WebSocketPiece piece) {
    auto const held = lane.take_data(piece);
    if (!held) co_return co_await refuse(lane, held.error());
    auto& message = **held;
    auto const looked = co_await look_at(lane, message);
    if (looked == Flow::over) co_return looked;
    MessagePart const part{piece.opcode, piece.packed, message.ready(), message.ready_to_end()};
    if (part.payload.empty() && !part.last) co_return Flow::on;
    if (auto over = over_budget(lane, part.payload.size())) co_return co_await refuse(lane, *over);
    auto sent = co_await lane.writer().send(part);
    if (!sent) co_return lose(lane, sent.error());
    count(lane, part);
    message.drop_ready();
    co_return Flow::on;
  }

  /// Its payload is judged like a message of its own.
  awaitable<Flow> take_control(WebSocketLane& lane, WebSocketPiece piece) {
    auto const held = lane.take_control(piece);
    if (!held) co_return co_await refuse(lane, held.error());
    auto& message = **held;
    auto const looked = co_await look_at(lane, message);
    if (looked == Flow::over) co_return looked;
    was_closed_ = was_closed_ || piece.opcode == Opcode::close;
    auto sent = co_await lane.writer().send_control(piece.opcode, message.ready());
    if (!sent) co_return lose(lane, sent.error());
    co_return Flow::on;
  }

  awaitable<Flow> look_at(WebSocketLane& lane, HeldMessage& message) {
    for (;;) {
      auto const looked = message.look();
      if (!looked) co_return co_await break_off(lane, kInconsistentData, looked.error());
      if (message.refusal()) co_return co_await refuse(lane, *message.refusal());
      if (*looked == HeldMessage::Look::done) co_return Flow::on;
      activity_.touch();
      co_await yield_once();
    }
  }

  std::optional<Refusal> over_budget(WebSocketLane const& lane, std::size_t bytes) {
    if (&lane != &up_) return std::nullopt;
    auto over = guard_.budget.upload(guard_.permit.rule(), end_.bytes_up, bytes);
    return over ? std::optional(refused_by(*std::move(over))) : std::nullopt;
  }

  void count(WebSocketLane const& lane, MessagePart const& part) {
    bool const is_up = &lane == &up_;
    (is_up ? end_.bytes_up : end_.bytes_down) += part.payload.size();
    if (part.last) ++(is_up ? end_.messages_up : end_.messages_down);
  }

  awaitable<Flow> refuse(WebSocketLane const& lane, Refusal refusal) {
    end_.refusal = std::move(refusal);
    end_.error = std::string("a message of the ") + lane.sender() + " must not go on";
    auto const code = end_.refusal->verdict.reason;
    co_await close_both(kPolicyViolation, code);
    co_return Flow::over;
  }

  awaitable<Flow> break_off(WebSocketLane const& lane, std::uint16_t code, Error const& error) {
    end_.error = std::string("WebSocket frame of the ") + lane.sender() + ": " + error.what;
    std::string const reason = code == kProtocolError ? "protocol error" : "invalid payload";
    co_await close_both(code, reason);
    co_return Flow::over;
  }

  /// Neither side gets anything behind it. A side that does not take it is left without.
  awaitable<void> close_both(std::uint16_t code, std::string reason) {
    is_ending_ = true;
    co_await with_deadline(limits::kDrainTimeout, "close", down_.writer().close(code, reason));
    co_await with_deadline(limits::kDrainTimeout, "close", up_.writer().close(code, reason));
  }

  Flow lose(WebSocketLane const& lane, Error const& error) {
    auto const* const receiver = &lane == &up_ ? "server" : "client";
    if (!is_ending_) end_.error = std::string("the ") + receiver + " takes no more: " + error.what;
    return Flow::over;
  }

  WebSocketEnds ends_;
  WebSocketGuard& guard_;
  Activity& activity_;
  Farewell& farewell_;
  WebSocketEnd& end_;
  WebSocketLane up_;
  WebSocketLane down_;
  bool was_closed_ = false;  // by one side: its Close frame was passed on
  bool is_ending_ = false;   // by the gateway
};

}  // namespace

awaitable<void> relay_websocket(WebSocketEnds ends, WebSocketGuard& guard, std::optional<DeflateParameters> deflate,
                                Activity& activity, Farewell& farewell, WebSocketEnd& end) {
  auto const executor = co_await asio::this_coro::executor;
  Relay relay(ends, guard, deflate, activity, farewell, end, executor);
  co_await relay.run();
}

}  // namespace sallyport::proxy
