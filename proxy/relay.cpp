#include "proxy/relay.hpp"

#include "base/limits.hpp"

#include <boost/asio/post.hpp>
#include <boost/asio/write.hpp>

#include <sys/socket.h>

#include <cerrno>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace sallyport::proxy {
namespace {

using namespace asio::experimental::awaitable_operators;

constexpr unsigned kTurn = 4;                   // moves before others get theirs: two fast ends never make it wait
constexpr std::size_t kSmallMoveBytes = 4096;   // less than this at a time is no bulk any more

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

/// One direction of a relay.
struct OneWay {
  Stream& from;
  Stream& to;
  std::uint64_t& bytes;
  Progress& progress;

  void fail_with(char const* what, std::string const& why) const {
    fail(progress, from, to, std::string(what) + ": " + why);
  }
};

std::string message_of(int error) { return boost::system::error_code(error, boost::system::system_category()).message(); }

enum class Bulk { over, ended };

/// Everything that is in the pipe. False when it cannot be written.
awaitable<bool> drain(SplicePipe& pipe, OneWay const& way) {
  while (pipe.pending() > 0) {
    auto const moved = pipe.drain_to(way.to.socket().native_handle());
    way.bytes += moved.bytes;
    if (moved.what == Moved::What::bytes) continue;
    if (moved.what != Moved::What::again) {
      way.fail_with("write", message_of(moved.error));
      co_return false;
    }
    auto [error] = co_await way.to.socket().async_wait(asio::socket_base::wait_write);
    if (error) {
      way.fail_with("write", error.message());
      co_return false;
    }
  }
  co_return true;
}

/// Moves bytes through a pipe of the kernel, which is lent only while there are bytes in it, until little moves at a time
/// or the direction has ended.
awaitable<Bulk> pump_bulk(OneWay const& way, SplicePipes& pipes) {
  for (unsigned round = 1;; ++round) {
    if (round % kTurn == 0) co_await asio::post(way.from.socket().get_executor(), Token());
    auto pipe = pipes.take();
    if (!pipe) co_return Bulk::over;
    auto const moved = pipe->fill_from(way.from.socket().native_handle());
    if (moved.what == Moved::What::end) {
      end_direction(way.to, way.progress);
      co_return Bulk::ended;
    }
    if (moved.what == Moved::What::failed) {
      way.fail_with("read", message_of(moved.error));
      co_return Bulk::ended;
    }
    if (moved.what == Moved::What::again) {
      pipe.reset();
      auto [error] = co_await way.from.socket().async_wait(asio::socket_base::wait_read);
      if (!error) continue;
      way.fail_with("read", error.message());
      co_return Bulk::ended;
    }
    way.progress.activity.touch();
    bool const written = co_await drain(*pipe, way);
    if (!written) co_return Bulk::ended;
    way.progress.activity.touch();
    if (moved.bytes < kSmallMoveBytes) co_return Bulk::over;
  }
}

enum class Step { wait, again, bulk, blocked, ended };

/// One block from socket to socket, without waiting. `rest` is what the other side does not take yet; it is in `block`.
Step step(OneWay const& way, std::span<char> block, std::string_view& rest) {
  auto const got = ::recv(way.from.socket().native_handle(), block.data(), block.size(), MSG_DONTWAIT);
  if (got < 0 && errno == EINTR) return Step::again;
  if (got < 0 && errno == EAGAIN) return Step::wait;
  if (got < 0) way.fail_with("read", message_of(errno));
  if (got == 0) end_direction(way.to, way.progress);
  if (got <= 0) return Step::ended;
  way.progress.activity.touch();
  auto const size = static_cast<std::size_t>(got);
  auto const sent = ::send(way.to.socket().native_handle(), block.data(), size, MSG_DONTWAIT | MSG_NOSIGNAL);
  bool const later = sent < 0 && (errno == EAGAIN || errno == EINTR);
  if (sent < 0 && !later) way.fail_with("write", message_of(errno));
  if (sent < 0 && !later) return Step::ended;
  auto const taken = later ? 0 : static_cast<std::size_t>(sent);
  way.bytes += taken;
  rest = {block.data() + taken, size - taken};
  if (!rest.empty()) return Step::blocked;
  return size == block.size() ? Step::bulk : Step::wait;
}

/// A copy of what is left of a block that others use meanwhile.
awaitable<bool> write_rest(OneWay const& way, std::string rest) {
  auto [error, sent] = co_await asio::async_write(way.to.socket(), asio::buffer(rest), Token());
  way.bytes += sent;
  if (error) way.fail_with("write", error.message());
  way.progress.activity.touch();
  co_return !error;
}

/// Nothing is held while it waits for bytes: most tunnels are idle.
awaitable<void> pump(Stream& from, Stream& to, std::uint64_t& bytes, Progress& progress, SplicePipes& pipes) {
  OneWay const way{from, to, bytes, progress};
  for (bool goes_on = true; goes_on;) {
    std::string_view rest;
    auto const done = step(way, pipes.block(), rest);
    if (done == Step::ended) co_return;
    if (done == Step::blocked) goes_on = co_await write_rest(way, std::string(rest));
    if (done == Step::wait) {
      auto [error] = co_await from.socket().async_wait(asio::socket_base::wait_read);
      if (error) co_return way.fail_with("read", error.message());
    }
    if (done != Step::bulk) continue;
    auto const bulk = co_await pump_bulk(way, pipes);
    goes_on = bulk != Bulk::ended;
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

awaitable<RelayEnd> relay(Stream& client, Stream& upstream, Activity& activity, std::chrono::milliseconds idle,
                          SplicePipes& pipes) {
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
  co_await (pump(client, upstream, progress.end.bytes_up, progress, pipes) &&
            pump(upstream, client, progress.end.bytes_down, progress, pipes));
  co_return progress.end;
}

}  // namespace sallyport::proxy
