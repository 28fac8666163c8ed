#include "proxy/activity.hpp"

#include "tests/proxy/stream_pair.hpp"

#include <gtest/gtest.h>

namespace sallyport::proxy {
namespace {

using namespace std::chrono_literals;

TEST(Activity, WatcherReturnsOnceNothingMovedForSoLong) {
  asio::io_context io;
  Activity activity;
  tests::run(io, wait_until_idle(activity, 20ms));
  EXPECT_GE(std::chrono::steady_clock::now(), activity.last() + 20ms);
}

awaitable<void> touch_later(Activity& activity) {
  co_await sleep_for(10ms);
  activity.touch();
}

TEST(Activity, TouchPutsTheEndOff) {
  asio::io_context io;
  Activity activity;
  auto const first = activity.last();
  auto touched = asio::co_spawn(io, touch_later(activity), asio::use_future);
  tests::run(io, wait_until_idle(activity, 50ms));
  touched.get();
  EXPECT_GE(activity.last(), first + 10ms);
  EXPECT_GE(std::chrono::steady_clock::now(), activity.last() + 50ms);
}

TEST(IdleWatch, CallsOnceNothingMovedForSoLong) {
  asio::io_context io;
  Activity activity;
  auto const first = activity.last();
  std::optional<std::chrono::steady_clock::time_point> ended;
  IdleWatch const watch(activity, io.get_executor(), 50ms, [&] { ended = std::chrono::steady_clock::now(); });
  auto touched = asio::co_spawn(io, touch_later(activity), asio::use_future);
  io.run();
  EXPECT_GE(activity.last(), first + 10ms);
  ASSERT_TRUE(ended);
  EXPECT_GE(*ended, activity.last() + 50ms);
}

TEST(IdleWatch, CallsWhenTheActivityIsRevokedAndNotWhenItIsGone) {
  asio::io_context io;
  Activity activity;
  int calls = 0;
  {
    IdleWatch const watch(activity, io.get_executor(), 1h, [&] { ++calls; });
    activity.revoke("no more");
    EXPECT_EQ(calls, 1);
  }
  activity.revoke("again");
  EXPECT_EQ(calls, 1);
}

}  // namespace
}  // namespace sallyport::proxy
