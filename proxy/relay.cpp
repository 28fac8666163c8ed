#include "proxy/relay.hpp"

#include "base/limits.hpp"

#include <boost/asio/write.hpp>

#include <memory>
#include <utility>

namespace sallyport::proxy {
namespace {

using namespace asio::experimental::awaitable_operators;

/// Both pumps of one relay write here; they run on one thread.
struct Progress {
  RelayEnd end;
  Activity& activity;
};

/// The first failure is the one that explains the end. Closing both sockets ends the other pump as well.
void fail(Progress& progress, Stream& one, Stream& other, std::string why) {
  if (progress.end.error.empty()) progress.end.error = std::move(why);
  one.reset();
  other.reset();
}

awaitable<void> pump(Stream& from, Stream& to, std::uint64_t& bytes, Progress& progress) {
  auto const block = std::make_unique_for_overwrite<char[]>(limits::kRelayBlockBytes);
  for (;;) {
    auto [read_error, got] = co_await from.socket().async_read_some(asio::buffer(block.get(), limits::kRelayBlockBytes));
    if (read_error == asio::error::eof) co_return to.shutdown_send();
    if (read_error) co_return fail(progress, from, to, "read: " + read_error.message());
    progress.activity.touch();
    auto [write_error, sent] = co_await asio::async_write(to.socket(), asio::buffer(block.get(), got), Token());
    bytes += sent;
    if (write_error) co_return fail(progress, from, to, "write: " + write_error.message());
    progress.activity.touch();
  }
}

awaitable<Result<void>> flush_buffered(Stream& client, Stream& upstream, Progress& progress) {
  auto const bytes = client.buffered();
  auto written = co_await upstream.write(bytes);
  if (!written) co_return written;
  progress.end.bytes_up += bytes.size();
  client.consume(bytes.size());
  client.release_buffer();
  co_return written;
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
  auto flushed = co_await with_deadline(idle, "write", flush_buffered(client, upstream, progress));
  if (!flushed) {
    fail(progress, client, upstream, flushed.error().what);
    co_return progress.end;
  }
  auto done = co_await ((pump(client, upstream, progress.end.bytes_up, progress) &&
                         pump(upstream, client, progress.end.bytes_down, progress)) ||
                        wait_until_idle(activity, idle));
  if (done.index() == 1) {
    fail(progress, client, upstream, {});
    progress.end.error = idle_reason(activity);  // not what the pumps say, which were cancelled by it
  }
  co_return progress.end;
}

}  // namespace sallyport::proxy
