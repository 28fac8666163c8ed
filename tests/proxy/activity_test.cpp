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

}  // namespace
}  // namespace sallyport::proxy
