#include "proxy/activity.hpp"

#include "base/defer.hpp"

namespace sallyport::proxy {

void Activity::revoke(std::string why) {
  if (revoked_.empty()) revoked_ = std::move(why);
  if (watcher_ != nullptr) watcher_->cancel();
}

awaitable<void> wait_until_idle(Activity& activity, std::chrono::milliseconds timeout) {
  Timer timer(co_await asio::this_coro::executor);
  activity.watcher_ = &timer;
  Defer const forget([&] { activity.watcher_ = nullptr; });
  while (activity.revoked_.empty() && activity.last() + timeout > std::chrono::steady_clock::now()) {
    timer.expires_at(activity.last() + timeout);
    auto [ec] = co_await timer.async_wait();
    if (ec) co_return;
  }
}

}  // namespace sallyport::proxy
