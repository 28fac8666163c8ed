#include "proxy/http_exchange.hpp"

#include "base/limits.hpp"
#include "proxy/activity.hpp"
#include "proxy/body_framing.hpp"
#include "proxy/request_writer.hpp"

#include <utility>
#include <variant>

namespace sallyport::proxy {
namespace {

enum class Passed { whole, source_failed, sink_failed };
struct BodyEnd {
  Passed passed = Passed::whole;
  std::string error;
};

/// One body from `from` to `to`. Content bytes are counted in `content` as they pass.
awaitable<BodyEnd> pass_body(Stream& from, Stream& to, BodyKind kind, std::uint64_t& content, Activity& activity) {
  BodyReader reader(kind);
  while (!reader.done()) {
    if (from.buffered().empty()) {
      auto more = co_await from.read_more();
      if (!more && more.error().code == Code::closed) more = reader.finish();
      if (!more) co_return BodyEnd{Passed::source_failed, more.error().what};
      if (from.buffered().empty()) break;  // the end of the stream was the end of the body
    }
    auto step = reader.feed(from.buffered());
    if (!step) co_return BodyEnd{Passed::source_failed, step.error().what};
    activity.touch();
    auto written = co_await to.write(from.buffered().substr(0, step->consumed));
    if (!written) co_return BodyEnd{Passed::sink_failed, written.error().what};
    from.consume(step->consumed);
    content = reader.content_bytes();
    activity.touch();
  }
  co_return BodyEnd{};
}

awaitable<void> wait_for_cancel() {
  Timer timer(co_await asio::this_coro::executor, Timer::time_point::max());
  co_await timer.async_wait();
}

class Exchange {
 public:
  Exchange(Stream& client, Stream& upstream, RequestHead const& head, HttpTarget const& target, Activity& activity)
      : client_(client), upstream_(upstream), head_(head), target_(target), activity_(activity) {}

  awaitable<ExchangeEnd> run() {
    using namespace asio::experimental::awaitable_operators;
    if (!activity_.revoked().empty()) {
      fail(Fault::policy, activity_.revoked());
      co_return end_;
    }
    auto done = co_await (download() || upload() || wait_until_idle(activity_, limits::kIdleTimeout));
    if (done.index() == 2) end_early();
    if (end_.fault != Fault::none && end_.status != 0) client_.reset();
    if (end_.fault != Fault::none || !uploaded_) end_.next = Next::close;
    bool const clean = end_.fault == Fault::none && uploaded_ && server_keeps_ && upstream_.buffered().empty();
    end_.upstream = clean ? After::reusable : After::close;
    co_return end_;
  }

 private:
  /// Nothing moved, or it may not go on. What upload() and download() say of it is that they were cancelled.
  void end_early() {
    bool const is_revoked = !activity_.revoked().empty();
    end_.fault = is_revoked ? Fault::policy : Fault::idle;
    end_.error = is_revoked ? activity_.revoked() : "nothing moved for too long";
  }

  void fail(Fault fault, std::string why) {
    if (end_.fault != Fault::none) return;  // the first one explains the end
    end_.fault = fault;
    end_.error = std::move(why);
  }

  /// Ends only when the client failed; an upstream that takes no more may still answer.
  awaitable<void> upload() {
    auto const connection = head_.minor_version == 0 ? UpstreamConnection::close : UpstreamConnection::keep_alive;
    auto const bytes = write_request_head(head_, target_, connection);
    auto written = co_await upstream_.write(bytes);
    if (written) {
      auto end = co_await pass_body(client_, upstream_, head_.body, end_.bytes_up, activity_);
      if (end.passed == Passed::source_failed) co_return fail(Fault::client, "request body: " + end.error);
      uploaded_ = end.passed == Passed::whole;
    }
    co_await wait_for_cancel();
  }

  awaitable<void> download() {
    auto head = co_await read_final_head();
    if (!head) co_return fail(Fault::upstream, "response head: " + head.error().what);
    bool const reusable = head_.keep_alive && uploaded_ && !std::holds_alternative<UntilClose>(head->body);
    end_.next = reusable ? Next::request : Next::close;
    end_.status = head->status;
    server_keeps_ = head->keep_alive && !std::holds_alternative<UntilClose>(head->body);
    auto const bytes = write_response_head(*head, reusable ? ClientConnection::keep_alive : ClientConnection::close);
    auto written = co_await client_.write(bytes);
    if (!written) co_return fail(Fault::client, "response head: " + written.error().what);
    auto end = co_await pass_body(upstream_, client_, head->body, end_.bytes_down, activity_);
    if (end.passed == Passed::source_failed) fail(Fault::upstream, "response body: " + end.error);
    if (end.passed == Passed::sink_failed) fail(Fault::client, "response body: " + end.error);
  }

  /// Passes interim responses on and returns the first that is final.
  awaitable<Result<ResponseHead>> read_final_head() {
    for (;;) {
      auto step = parse_response_head(upstream_.buffered(), head_.method);
      if (auto* error = std::get_if<Error>(&step)) co_return std::move(*error);
      if (auto* parsed = std::get_if<Parsed<ResponseHead>>(&step)) {
        upstream_.consume(parsed->head_bytes);
        if (parsed->head.status >= 200) co_return std::move(parsed->head);
        auto passed = co_await pass_interim(parsed->head);
        if (!passed) co_return passed.error();
        continue;
      }
      auto more = co_await upstream_.read_more();
      if (!more) co_return more.error();
      activity_.touch();
    }
  }

  awaitable<Result<void>> pass_interim(ResponseHead const& head) {
    if (head.status == 101) co_return Error{Code::invalid, 0, "an upgrade that was not asked for"};
    if (head_.minor_version == 0) co_return Result<void>();  // HTTP/1.0 clients do not know them
    auto const bytes = write_response_head(head, ClientConnection::keep_alive);
    co_return co_await client_.write(bytes);
  }

  Stream& client_;
  Stream& upstream_;
  RequestHead const& head_;
  HttpTarget const& target_;
  Activity& activity_;
  ExchangeEnd end_;
  bool uploaded_ = false;      // the whole request body went upstream
  bool server_keeps_ = false;  // its connection, after this response
};

}  // namespace

awaitable<ExchangeEnd> exchange(Stream& client, Stream& upstream, RequestHead const& head, HttpTarget const& target, Activity& activity) {
  Exchange one(client, upstream, head, target, activity);
  co_return co_await one.run();
}

}  // namespace sallyport::proxy
