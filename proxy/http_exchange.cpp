#include "proxy/http_exchange.hpp"

#include "base/limits.hpp"
#include "proxy/activity.hpp"

#include <utility>
#include <variant>

namespace sallyport::proxy {
namespace {

constexpr int kSwitchingProtocols = 101;

enum class Passed { whole, source_failed, sink_failed };
struct BodyEnd {
  Passed passed = Passed::whole;
  std::string error;
};

/// One body from `from` to `to`. Content bytes are counted in `content` as they pass.
awaitable<BodyEnd> pass_body(BodySource& from, BodySink& to, std::uint64_t& content, Activity& activity) {
  for (bool last = false; !last;) {
    auto piece = co_await from.read();
    if (!piece) co_return BodyEnd{Passed::source_failed, piece.error().what};
    activity.touch();
    auto written = co_await to.write(*piece, from.trailers());
    if (!written) co_return BodyEnd{Passed::sink_failed, written.error().what};
    content += piece->content.size();
    activity.touch();
    last = piece->last;
  }
  co_return BodyEnd{};
}

awaitable<void> wait_for_cancel() {
  Timer timer(co_await asio::this_coro::executor, Timer::time_point::max());
  co_await timer.async_wait();
}

class Exchange {
 public:
  Exchange(Responder& client, BodySource& body, Requester& server, RequestHead const& head, HttpTarget const& target, Patience patience,
           WebSocketUpgrade* websocket)
      : client_(client), body_(body), server_(server), head_(head), target_(target), activity_(patience.activity), idle_(patience.idle),
        websocket_(websocket) {}

  awaitable<ExchangeEnd> run() {
    using namespace asio::experimental::awaitable_operators;
    if (!activity_.revoked().empty()) {
      fail(Fault::policy, activity_.revoked());
      co_return end_;
    }
    auto done = co_await (upload() || download() || watch() || client_.wait_until_given_up(activity_));
    if (done.index() == 3) fail(Fault::client, "the client gave the request up");
    if (websocket_ != nullptr) take_over(websocket_->end());
    if (done.index() == 2) end_early();
    if (end_.fault != Fault::none && end_.status != 0) client_.cut(server_.reset_code());
    if (end_.fault != Fault::none || !uploaded_) end_.next = Next::close;
    if (end_.fault == Fault::none && uploaded_) end_.upstream = server_.after();
    if (end_.fault == Fault::upstream && server_.untouched() && is_body_whole_) end_.seen = Seen::nothing;
    co_return end_;
  }

 private:
  /// Until nothing moved for too long, or it may not go on. A WebSocket tells both sides that, and then ends by itself if they let it.
  awaitable<void> watch() {
    co_await wait_until_idle(activity_, idle_);
    bool const takes_leave = !activity_.revoked().empty() && websocket_ != nullptr && websocket_->end(activity_.revoked());
    if (takes_leave) co_await sleep_for(limits::kFarewellTimeout);
  }

  /// Nothing moved, or it may not go on. What upload() and download() say of it is that they were cancelled.
  void end_early() {
    bool const is_revoked = !activity_.revoked().empty();
    end_.fault = is_revoked ? Fault::policy : Fault::idle;
    end_.error = is_revoked ? activity_.revoked() : "nothing moved for too long";
  }

  /// It has come to an end in its own protocol, if it has come to one: that is no failed exchange.
  void take_over(WebSocketEnd const& end) {
    end_.bytes_up += end.bytes_up;
    end_.bytes_down += end.bytes_down;
    end_.messages_up = end.messages_up;
    end_.messages_down = end.messages_down;
    if (end_.error.empty()) end_.error = end.error;
  }

  void fail(Fault fault, std::string why) {
    if (end_.fault != Fault::none) return;  // the first one explains the end
    end_.fault = fault;
    end_.error = std::move(why);
  }

  /// Ends only when the client failed; an upstream that takes no more may still answer.
  awaitable<void> upload() {
    auto sent = co_await server_.request(head_, target_);
    if (sent && websocket_ == nullptr) {
      is_body_whole_ = std::holds_alternative<NoBody>(head_.body);
      auto end = co_await pass_body(body_, server_.body(), end_.bytes_up, activity_);
      if (end.passed == Passed::source_failed) co_return fail(Fault::client, "request body: " + end.error);
      uploaded_ = end.passed == Passed::whole;
    }
    co_await wait_for_cancel();
  }

  awaitable<void> download() {
    auto head = co_await read_final_head();
    if (!head) co_return fail(Fault::upstream, "response head: " + head.error().what);
    if (head->status == kSwitchingProtocols) co_return co_await become_websocket(*std::move(head));
    bool const reusable = head_.keep_alive && uploaded_ && !std::holds_alternative<UntilClose>(head->body);
    end_.next = reusable ? Next::request : Next::close;
    end_.status = head->status;
    auto& body = server_.response_body();
    auto const comes = body.is_ready() ? BodyComes::at_once : BodyComes::later;
    auto written = co_await client_.respond(*head, end_.next, comes);
    if (!written) co_return fail(Fault::client, "response head: " + written.error().what);
    auto end = co_await pass_body(body, client_.body(), end_.bytes_down, activity_);
    if (end.passed == Passed::source_failed) fail(Fault::upstream, "response body: " + end.error);
    if (end.passed == Passed::sink_failed) fail(Fault::client, "response body: " + end.error);
  }

  awaitable<void> become_websocket(ResponseHead answer) {
    auto head = websocket_->accept(std::move(answer));
    if (!head) co_return fail(Fault::upstream, head.error().what);
    end_.status = head->status;
    auto written = co_await client_.respond(*head, Next::close, BodyComes::later);
    if (!written) co_return fail(Fault::client, "response head: " + written.error().what);
    co_await websocket_->relay(client_.body(), server_, activity_);
    BodyPiece const end{{}, true};
    co_await client_.body().write(end, {});
  }

  /// Passes interim responses on and returns the first that is final.
  awaitable<Result<ResponseHead>> read_final_head() {
    for (;;) {
      auto head = co_await server_.read_head();
      bool const switches = head && head->status == kSwitchingProtocols && websocket_ != nullptr;
      if (!head || head->status >= 200 || switches) co_return head;
      activity_.touch();
      auto passed = co_await pass_interim(*head);
      if (!passed) co_return passed.error();
    }
  }

  awaitable<Result<void>> pass_interim(ResponseHead const& head) {
    if (head.status == kSwitchingProtocols) co_return Error{Code::invalid, 0, "an upgrade that was not asked for"};
    bool const unasked = head.status == 100 && !head_.expect_continue;
    if (unasked) co_return Result<void>();
    co_return co_await client_.inform(head);
  }

  Responder& client_;
  BodySource& body_;
  Requester& server_;
  RequestHead const& head_;
  HttpTarget const& target_;
  Activity& activity_;
  std::chrono::milliseconds idle_;
  WebSocketUpgrade* websocket_;
  ExchangeEnd end_;
  bool uploaded_ = false;      // the whole request body went upstream
  bool is_body_whole_ = true;  // nothing was taken from it
};

}  // namespace

awaitable<ExchangeEnd> exchange(Responder& client, BodySource& body, Requester& server, RequestHead const& head, HttpTarget const& target, Patience patience,
                                WebSocketUpgrade* websocket) {
  Exchange one(client, body, server, head, target, patience, websocket);
  co_return co_await one.run();
}

}  // namespace sallyport::proxy
