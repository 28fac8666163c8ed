#include "proxy/relay.hpp"

#include "base/limits.hpp"

#include <boost/asio/write.hpp>

#include <utility>
#include <vector>

namespace sallyport::proxy {
namespace {

using namespace asio::experimental::awaitable_operators;

constexpr std::size_t kFirstBlockBytes = 2048;  // most tunnels are idle or carry little at a time

/// Both pumps of one relay write here; they run on one thread.
struct Progress {
  RelayEnd end;
  Activity& activity;
  bool half_closed = false;  // one direction has ended in order
};

/// The first failure is the one that explains the end. Closing both sockets ends the other pump as well.
void fail(Progress& progress, Stream& one, Stream& other, std::string why) {
  if (progress.end.error.empty()) progress.end.error = std::move(why);
  one.reset();
  other.reset();
}

/// Both sockets are closed when the other direction has ended as well.
void end_direction(Stream& to, Progress& progress) {
  if (!std::exchange(progress.half_closed, true)) to.shutdown_send();
}

awaitable<void> pump(Stream& from, Stream& to, std::uint64_t& bytes, Progress& progress) {
  std::vector<char> block(kFirstBlockBytes);
  for (;;) {
    auto [read_error, got] = co_await from.socket().async_read_some(asio::buffer(block));
    if (read_error == asio::error::eof) co_return end_direction(to, progress);
    if (read_error) co_return fail(progress, from, to, "read: " + read_error.message());
    progress.activity.touch();
    auto [write_error, sent] = co_await asio::async_write(to.socket(), asio::buffer(block.data(), got), Token());
    bytes += sent;
    if (write_error) co_return fail(progress, from, to, "write: " + write_error.message());
    progress.activity.touch();
    if (got == block.size() && got < limits::kRelayBlockBytes) block.resize(limits::kRelayBlockBytes);
  }
}

awaitable<Result<void>> flush_buffered(Stream& from, Stream& to, std::uint64_t& bytes) {
  auto const buffered = from.buffered();
  auto written = co_await to.write(buffered);
  if (!written) co_return written;
  bytes += buffered.size();
  from.consume(buffered.size());
  from.release_buffer();
  co_return written;
}

awaitable<Result<void>> flush_both(Stream& client, Stream& upstream, RelayEnd& end) {
  auto flushed = co_await flush_buffered(client, upstream, end.bytes_up);
  if (!flushed || upstream.buffered().empty()) co_return flushed;
  co_return co_await flush_buffered(upstream, client, end.bytes_down);
}

/// What ended a wait for activity.
std::string idle_reason(Activity const& activity) {
  return activity.revoked().empty() ? "idle: nothing moved for too long" : activity.revoked();
}

}  // namespace

awaitable<RelayEnd> relay(Stream& client, Stream& upstream, Activity& activity, std::chrono::milliseconds idle) {
  Progress progress{{}, activity};
  if (!activity.revoked().empty()) {
    fail(progress, client, upstream, activity.revoked());
    co_return progress.end;
  }
  IdleWatch const watch(activity, co_await asio::this_coro::executor, idle,
                        [&] { fail(progress, client, upstream, idle_reason(activity)); });
  auto flushed = co_await flush_both(client, upstream, progress.end);
  if (!flushed) {
    fail(progress, client, upstream, flushed.error().what);
    co_return progress.end;
  }
  co_await (pump(client, upstream, progress.end.bytes_up, progress) && pump(upstream, client, progress.end.bytes_down, progress));
  co_return progress.end;
}

}  // namespace sallyport::proxy
