#include "proxy/activity.hpp"

#include "base/defer.hpp"

namespace sallyport::proxy {

void Activity::revoke(std::string why) {
  if (revoked_.empty()) revoked_ = std::move(why);
  if (on_revoked_) on_revoked_();
}

awaitable<void> wait_until_idle(Activity& activity, std::chrono::milliseconds timeout) {
  Timer timer(co_await asio::this_coro::executor);
  activity.on_revoked_ = [&timer] { timer.cancel(); };
  Defer const forget([&] { activity.on_revoked_ = nullptr; });
  while (activity.revoked_.empty() && activity.last() + timeout > std::chrono::steady_clock::now()) {
    timer.expires_at(activity.last() + timeout);
    auto [ec] = co_await timer.async_wait();
    if (ec) co_return;
  }
}

IdleWatch::IdleWatch(Activity& activity, Executor const& executor, std::chrono::milliseconds timeout, std::function<void()> on_end)
    : activity_(activity), timeout_(timeout), on_end_(std::move(on_end)), deadline_(executor, timeout, [this] { look(); }) {
  activity_.on_revoked_ = [this] { on_end_(); };
}

IdleWatch::~IdleWatch() { activity_.on_revoked_ = nullptr; }

void IdleWatch::look() {
  auto const idle_at = activity_.last() + timeout_;
  if (idle_at > std::chrono::steady_clock::now()) return deadline_.restart(idle_at);
  on_end_();
}

}  // namespace sallyport::proxy
