#include "proxy/wakeup.hpp"

namespace sallyport::proxy {

awaitable<void> Wakeup::wait() {
  timer_.expires_at(Timer::time_point::max());
  co_await timer_.async_wait();
}

awaitable<Wakeup::Wake> Wakeup::wait_for(std::chrono::milliseconds timeout) {
  timer_.expires_after(timeout);
  auto [ec] = co_await timer_.async_wait();
  co_return ec ? Wake::notified : Wake::timed_out;
}

}  // namespace sallyport::proxy
