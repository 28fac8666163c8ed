#include "proxy/tls_bridge.hpp"

#include "base/limits.hpp"
#include "base/unique_fd.hpp"
#include "proxy/activity.hpp"

#include <sys/socket.h>

#include <array>
#include <utility>

namespace sallyport::proxy {
namespace {

struct Bridge {
  Stream tls;
  Stream plain;
  Activity activity{};
  bool half_closed = false;

  void reset() {
    tls.reset();
    plain.close();
  }
};

awaitable<void> pump(Stream& from, Stream& to, Bridge& bridge) {
  for (;;) {
    auto const bytes = from.buffered();
    auto written = co_await to.write(bytes);
    if (!written) co_return bridge.reset();
    from.consume(bytes.size());
    bridge.activity.touch();
    auto more = co_await from.read_more();
    if (more) continue;
    if (more.error().code != Code::closed) co_return bridge.reset();
    to.shutdown_send();
    co_return;
  }
}

awaitable<void> run(Stream tls, Stream plain) {
  using namespace asio::experimental::awaitable_operators;
  Bridge bridge{std::move(tls), std::move(plain)};
  IdleWatch const watch(bridge.activity, co_await asio::this_coro::executor, limits::kIdleTimeout, [&] { bridge.reset(); });
  co_await (pump(bridge.plain, bridge.tls, bridge) && pump(bridge.tls, bridge.plain, bridge));
  bridge.tls.close();
  bridge.plain.close();
}

/// Asio knows no difference between a TCP socket and a Unix stream socket, as long as nobody asks for addresses.
Socket adopted(UniqueFd fd, Executor const& executor) {
  return Socket(executor, asio::ip::tcp::v4(), std::move(fd).release());
}

}  // namespace

Result<Socket> bridge_tls(Stream tls, TaskSet& tasks, Executor executor) {
  std::array<int, 2> ends{};
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, ends.data()) != 0)
    return Error::os(errno, "socketpair");
  auto ours = UniqueFd::adopt(ends[0], "socketpair");
  auto theirs = UniqueFd::adopt(ends[1], "socketpair");
  tasks.start(run(std::move(tls), Stream(adopted(*std::move(ours), executor))));
  return adopted(*std::move(theirs), executor);
}

}  // namespace sallyport::proxy
