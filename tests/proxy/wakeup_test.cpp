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

TEST(Wakeup, SaysWhetherTheTimeWasOver) {
  asio::io_context io;
  Wakeup wakeup(io.get_executor());
  EXPECT_EQ(tests::run(io, wakeup.wait_for(1ms)), Wakeup::Wake::timed_out);
  asio::post(io, [&wakeup] { wakeup.notify(); });
  EXPECT_EQ(tests::run(io, wakeup.wait_for(1h)), Wakeup::Wake::notified);
}

TEST(Wakeup, WaitsWithoutLimitBehindAWaitWithOne) {
  asio::io_context io;
  Wakeup wakeup(io.get_executor());
  EXPECT_EQ(tests::run(io, wakeup.wait_for(1ms)), Wakeup::Wake::timed_out);
  asio::post(io, [&wakeup] { wakeup.notify(); });
  tests::run(io, wakeup.wait());
}

}  // namespace
}  // namespace sallyport::proxy
