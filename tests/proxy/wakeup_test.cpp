#include "proxy/wakeup.hpp"

#include "tests/proxy/stream_pair.hpp"

#include <gtest/gtest.h>

#include <chrono>

namespace sallyport::proxy {
namespace {

using namespace std::chrono_literals;

awaitable<void> wait_until(Wakeup& wakeup, int const& count, int wanted) {
  while (count < wanted) co_await wakeup.wait();
}

awaitable<void> count_up(Wakeup& wakeup, int& count) {
  for (int round = 0; round < 3; ++round) {
    co_await sleep_for(0ms);
    ++count;
    wakeup.notify();
  }
}

TEST(Wakeup, WaiterLooksAgainAfterEveryNotification) {
  using namespace asio::experimental::awaitable_operators;
  asio::io_context io;
  Wakeup wakeup(io.get_executor());
  int count = 0;
  tests::run(io, wait_until(wakeup, count, 3) && count_up(wakeup, count));
  EXPECT_EQ(count, 3);
}

awaitable<void> notify_later(Wakeup& wakeup) {
  co_await sleep_for(0ms);
  wakeup.notify();
}

awaitable<void> keep_wake(Wakeup& wakeup, std::chrono::milliseconds timeout, Wakeup::Wake& wake) {
  wake = co_await wakeup.wait_for(timeout);
}

TEST(Wakeup, SaysWhetherTheTimeWasOver) {
  using namespace asio::experimental::awaitable_operators;
  asio::io_context io;
  Wakeup wakeup(io.get_executor());
  auto wake = Wakeup::Wake::notified;
  tests::run(io, keep_wake(wakeup, 1ms, wake));
  EXPECT_EQ(wake, Wakeup::Wake::timed_out);
  tests::run(io, keep_wake(wakeup, 1h, wake) && notify_later(wakeup));
  EXPECT_EQ(wake, Wakeup::Wake::notified);
}

TEST(Wakeup, WaitsWithoutLimitBehindAWaitWithOne) {
  using namespace asio::experimental::awaitable_operators;
  asio::io_context io;
  Wakeup wakeup(io.get_executor());
  EXPECT_EQ(tests::run(io, wakeup.wait_for(1ms)), Wakeup::Wake::timed_out);
  tests::run(io, wakeup.wait() && notify_later(wakeup));
}

}  // namespace
}  // namespace sallyport::proxy
