#include "proxy/task_set.hpp"

#include <boost/system/system_error.hpp>

#include <gtest/gtest.h>

#include <chrono>
#include <stdexcept>
#include <string>
#include <vector>

namespace sallyport::proxy {
namespace {

awaitable<void> end_at_once() { co_return; }

awaitable<void> wait_for_ever(int& ended) {
  co_await sleep_for(std::chrono::hours(24));
  ++ended;
}

awaitable<void> fail(std::string why) {
  co_await sleep_for(std::chrono::milliseconds(0));
  throw std::runtime_error(why);
}

awaitable<void> wait_and_throw_when_cancelled() {
  Timer timer(co_await asio::this_coro::executor, std::chrono::hours(24));
  co_await timer.async_wait(asio::use_awaitable_t<Executor>());
}

struct Fixture {
  asio::io_context io;
  std::vector<std::string> failures;
  TaskSet tasks{io.get_executor(), [this](std::exception_ptr failure) {
                  try {
                    std::rethrow_exception(failure);
                  } catch (std::exception const& error) { failures.emplace_back(error.what()); }
                }};
};

TEST(TaskSet, CountsTheTasksThatHaveNotEnded) {
  Fixture fixture;
  int ended = 0;
  fixture.tasks.start(end_at_once());
  fixture.tasks.start(wait_for_ever(ended));
  EXPECT_EQ(fixture.tasks.size(), 2U);
  fixture.io.poll();
  EXPECT_EQ(fixture.tasks.size(), 1U);
  fixture.tasks.cancel_all();
  fixture.io.run();
  EXPECT_EQ(fixture.tasks.size(), 0U);
}

TEST(TaskSet, CancelledTasksEndAtTheirNextWait) {
  Fixture fixture;
  int ended = 0;
  for (int task = 0; task < 3; ++task) fixture.tasks.start(wait_for_ever(ended));
  fixture.io.poll();
  fixture.tasks.cancel_all();
  fixture.io.run();
  EXPECT_EQ(ended, 3);
  EXPECT_EQ(fixture.failures, std::vector<std::string>{});
}

awaitable<void> wait_on(Timer& timer) { co_await timer.async_wait(); }

TEST(TaskSet, ATaskThatEndsBeforeItIsAskedToIsLeftAlone) {
  Fixture fixture;
  Timer timer(fixture.io.get_executor(), Timer::time_point::max());
  fixture.tasks.start(wait_on(timer));
  fixture.io.poll();
  timer.cancel();
  fixture.tasks.cancel_all();
  fixture.io.run();
  EXPECT_EQ(fixture.tasks.size(), 0U);
  EXPECT_EQ(fixture.failures, std::vector<std::string>{});
}

TEST(TaskSet, ExceptionsAreHeardAndOtherTasksGoOn) {
  Fixture fixture;
  int ended = 0;
  fixture.tasks.start(fail("one"));
  fixture.tasks.start(wait_for_ever(ended));
  while (fixture.failures.empty() && fixture.io.run_one_for(std::chrono::seconds(20)) != 0) {}
  EXPECT_EQ(fixture.failures, std::vector<std::string>{"one"});
  EXPECT_EQ(fixture.tasks.size(), 1U);
  fixture.tasks.cancel_all();
  fixture.io.run();
}

TEST(TaskSet, ExceptionOfACancelledTaskIsNoFailure) {
  Fixture fixture;
  fixture.tasks.start(wait_and_throw_when_cancelled());
  fixture.io.poll();
  fixture.tasks.cancel_all();
  fixture.io.run();
  EXPECT_EQ(fixture.tasks.size(), 0U);
  EXPECT_EQ(fixture.failures, std::vector<std::string>{});
}

TEST(TaskSet, OnlyOperationAbortedIsACancellation) {
  auto const thrown = [](auto const& error) { return std::make_exception_ptr(error); };
  using boost::system::system_error;
  EXPECT_TRUE(is_cancellation(thrown(system_error(asio::error::operation_aborted))));
  EXPECT_FALSE(is_cancellation(thrown(system_error(asio::error::connection_reset))));
  EXPECT_FALSE(is_cancellation(thrown(std::runtime_error("other"))));
}

}  // namespace
}  // namespace sallyport::proxy
