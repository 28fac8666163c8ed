#include "proxy/h2_pump.hpp"

#include "base/limits.hpp"

#include <utility>
#include <variant>

namespace sallyport::proxy {

using namespace asio::experimental::awaitable_operators;

H2Pump::H2Pump(Stream& stream, H2Session& session, std::function<void()> fed)
    : stream_(stream), session_(session), fed_(std::move(fed)) {}

awaitable<Result<void>> H2Pump::run() {
  auto done = co_await (read() || write() || watch_writes() || watch_idle());
  auto ended = std::visit([](auto& result) { return std::move(result); }, done);
  auto const& failure = session_.inbox().failure();
  if (failure) co_return *failure;
  bool const in_order = !ended && ended.error().code == Code::closed && session_.inbox().live() == 0;
  if (in_order) co_return Result<void>();
  co_return ended;
}

awaitable<Result<void>> H2Pump::read() {
  for (;;) {
    auto const bytes = stream_.buffered();
    if (!bytes.empty()) {
      auto fed = session_.feed(bytes);
      stream_.consume(bytes.size());
      fed_();
      if (!fed) {
        co_await sleep_for(limits::kDrainTimeout);  // write() sends the GOAWAY, and ends this
        co_return fed;
      }
    }
    auto more = co_await stream_.read_more();
    if (!more) co_return more;
  }
}

awaitable<Result<void>> H2Pump::write() {
  for (;;) {
    auto bytes = session_.output();
    if (!bytes) co_return bytes.error();
    if (!bytes->empty()) {
      writing_ = Writing::yes;
      writes_.touch();
      auto written = co_await stream_.write(*bytes);
      if (!written) co_return written;
      writing_ = Writing::no;
    } else if (session_.over()) {
      co_return Result<void>();
    } else {
      co_await session_.output_wanted().wait();
    }
  }
}

/// One timer a connection, not one a write.
awaitable<Result<void>> H2Pump::watch_writes() {
  for (;;) {
    co_await wait_until_idle(writes_, session_.inbox().bounds().stall_timeout);
    if (writing_ == Writing::yes) co_return Error{Code::limit, 0, "HTTP/2: the peer read nothing for too long"};
    writes_.touch();
  }
}

awaitable<Result<void>> H2Pump::watch_idle() {
  auto& inbox = session_.inbox();
  for (;;) {
    co_await wait_until_idle(inbox.activity(), inbox.bounds().keep_alive_timeout);
    if (inbox.live() == 0) session_.terminate();  // also with half a header block, which no handler has seen
    inbox.activity().touch();
  }
}

}  // namespace sallyport::proxy
