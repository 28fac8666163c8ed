#include "proxy/websocket_relay.hpp"

#include "base/limits.hpp"
#include "proxy/websocket_reader.hpp"
#include "proxy/websocket_writer.hpp"

#include <boost/asio/post.hpp>

#include <memory>
#include <utility>

namespace sallyport::proxy {
namespace {

constexpr std::uint16_t kProtocolError = 1002;  // RFC 6455 section 7.4.1
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
        from_client_(WebSocketSide::client, deflate ? Compression::negotiated : Compression::none),
        from_server_(WebSocketSide::server, deflate ? Compression::negotiated : Compression::none),
        to_client_(ends.to_client, WebSocketSide::client, executor),
        to_server_(ends.to_server, WebSocketSide::server, executor) {
    using Context = WebSocketInflater::Context;
    if (deflate) inflater_.emplace(deflate->client_no_context_takeover ? Context::per_message : Context::kept);
  }

  awaitable<void> run() {
    using namespace asio::experimental::awaitable_operators;
    co_await (up() || down() || take_leave());
  }

 private:
  awaitable<void> up() {
    for (auto flow = Flow::on; flow == Flow::on;) {
      auto piece = co_await ends_.from_client.read();
      if (!piece) co_return note_end("the client went away without a Close frame");
      activity_.touch();
      if (!is_ending_) flow = co_await pass_up(piece->content);
      if (piece->last) co_return note_end("the client went away without a Close frame");
    }
    co_await sleep_for(limits::kDrainTimeout);  // down() ends earlier if the server does
  }

  awaitable<void> down() {
    for (auto flow = Flow::on; flow == Flow::on;) {
      auto piece = co_await ends_.from_server.read();
      if (!piece) co_return note_end("the server went away without a Close frame");
      activity_.touch();
      if (!is_ending_) flow = co_await pass_down(piece->content);
      if (piece->last) co_return note_end("the server went away without a Close frame");
    }
    co_await sleep_for(limits::kDrainTimeout);
  }

  /// It was allowed until now.
  awaitable<void> take_leave() {
    co_await farewell_.wait();
    co_await close_both(kPolicyViolation, std::string(policies::reason::kPolicyChanged));
    co_await sleep_for(limits::kDrainTimeout);
  }

  void note_end(char const* unless_closed) {
    if (!was_closed_ && end_.error.empty()) end_.error = unless_closed;
  }

  awaitable<Flow> pass_up(std::string_view bytes) {
    while (!bytes.empty()) {
      auto const step = from_client_.next(bytes);
      if (!step) {
        co_await break_off("WebSocket frame of the client: " + step.error().what);
        co_return Flow::over;
      }
      bytes.remove_prefix(step->consumed);
      if (step->piece.kind == WebSocketPiece::Kind::nothing) continue;
      auto const flow = co_await take(step->piece);
      if (flow == Flow::over) co_return flow;
    }
    co_return Flow::on;
  }

  awaitable<Flow> take(WebSocketPiece const& piece) {
    return piece.kind == WebSocketPiece::Kind::data ? take_data(piece) : take_control(piece);
  }

  awaitable<Flow> take_data(WebSocketPiece piece) {
    if (piece.first) {
      auto inspector = inspector_of_message();
      if (!inspector) co_return co_await refuse(inspector.error());
      message_.emplace(*std::move(inspector), piece.packed == Packed::yes ? &*inflater_ : nullptr);
    }
    message_->take(piece.payload, piece.last);
    auto const looked = co_await look_at(*message_);
    if (looked == Flow::over) co_return looked;
    auto const ready = message_->ready();
    if (ready.empty() && !message_->ready_to_end()) co_return Flow::on;
    if (auto over = guard_.budget.upload(guard_.permit.rule(), end_.bytes_up, ready.size())) {
      auto const why = refused_by(*std::move(over));
      co_return co_await refuse(why);
    }
    MessagePart const part{piece.opcode, piece.packed, ready, message_->ready_to_end()};
    auto sent = co_await to_server_.send(part);
    if (!sent) co_return lose("the server takes no more", sent.error());
    end_.bytes_up += ready.size();
    if (part.last) ++end_.messages_up;
    message_->drop_ready();
    co_return Flow::on;
  }

  /// Its payload is judged like a message of its own.
  awaitable<Flow> take_control(WebSocketPiece piece) {
    auto inspector = inspector_of_message();
    if (!inspector) co_return co_await refuse(inspector.error());
    HeldMessage held(*std::move(inspector), nullptr);
    held.take(piece.payload, true);
    auto const looked = co_await look_at(held);
    if (looked == Flow::over) co_return looked;
    was_closed_ = was_closed_ || piece.opcode == Opcode::close;
    auto sent = co_await to_server_.send_control(piece.opcode, held.ready());
    if (!sent) co_return lose("the server takes no more", sent.error());
    co_return Flow::on;
  }

  Attempt<std::unique_ptr<BodyInspector>> inspector_of_message() {
    InspectedMessage const message{guard_.request, guard_.permit};
    return guard_.inspection.inspect_body(message, BodyForm{});
  }

  awaitable<Flow> look_at(HeldMessage& message) {
    for (;;) {
      auto const looked = message.look();
      if (!looked) {
        co_await break_off("WebSocket frame of the client: " + looked.error().what);
        co_return Flow::over;
      }
      if (message.refusal()) co_return co_await refuse(*message.refusal());
      if (*looked == HeldMessage::Look::done) co_return Flow::on;
      activity_.touch();
      co_await yield_once();
    }
  }

  awaitable<Flow> pass_down(std::string_view bytes) {
    while (!bytes.empty() && !is_ending_) {
      auto const step = from_server_.next(bytes);
      if (!step) {
        co_await break_off("WebSocket frame of the server: " + step.error().what);
        co_return Flow::over;
      }
      bytes.remove_prefix(step->consumed);
      auto sent = co_await send_down(step->piece);
      if (!sent && !is_ending_) co_return lose("the client takes no more", sent.error());
    }
    co_return Flow::on;
  }

  awaitable<Result<void>> send_down(WebSocketPiece piece) {
    if (piece.kind == WebSocketPiece::Kind::nothing) co_return Result<void>();
    if (piece.kind == WebSocketPiece::Kind::control) {
      was_closed_ = was_closed_ || piece.opcode == Opcode::close;
      co_return co_await to_client_.send_control(piece.opcode, piece.payload);
    }
    MessagePart const part{piece.opcode, piece.packed, piece.payload, piece.last};
    auto sent = co_await to_client_.send(part);
    if (!sent) co_return sent;
    end_.bytes_down += piece.payload.size();
    if (piece.last) ++end_.messages_down;
    co_return sent;
  }

  awaitable<Flow> refuse(Refusal refusal) {
    end_.refusal = std::move(refusal);
    end_.error = "a message of the client must not go on";
    auto const code = end_.refusal->verdict.reason;
    co_await close_both(kPolicyViolation, code);
    co_return Flow::over;
  }

  awaitable<void> break_off(std::string why) {
    end_.error = std::move(why);
    co_await close_both(kProtocolError, "protocol error");
  }

  /// Neither side gets anything behind it. A side that does not take it is left without.
  awaitable<void> close_both(std::uint16_t code, std::string reason) {
    is_ending_ = true;
    co_await with_deadline(limits::kDrainTimeout, "close", to_client_.close(code, reason));
    co_await with_deadline(limits::kDrainTimeout, "close", to_server_.close(code, reason));
  }

  Flow lose(char const* what, Error const& error) {
    if (!is_ending_) end_.error = std::string(what) + ": " + error.what;
    return Flow::over;
  }

  WebSocketEnds ends_;
  WebSocketGuard& guard_;
  Activity& activity_;
  Farewell& farewell_;
  WebSocketEnd& end_;
  WebSocketReader from_client_;
  WebSocketReader from_server_;
  WebSocketWriter to_client_;
  WebSocketWriter to_server_;
  std::optional<WebSocketInflater> inflater_;
  std::optional<HeldMessage> message_;
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
