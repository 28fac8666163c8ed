#include "proxy/activity.hpp"

namespace sallyport::proxy {

awaitable<void> wait_until_idle(Activity const& activity, std::chrono::milliseconds timeout) {
  Timer timer(co_await asio::this_coro::executor);
  while (activity.last() + timeout > std::chrono::steady_clock::now()) {
    timer.expires_at(activity.last() + timeout);
    auto [ec] = co_await timer.async_wait();
    if (ec) co_return;
  }
}

}  // namespace sallyport::proxy
