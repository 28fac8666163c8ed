#include "proxy/shared_upstream.hpp"

#include "tests/proxy/stream_pair.hpp"

#include <gtest/gtest.h>

#include <optional>

namespace sallyport::proxy {
namespace {

awaitable<void> count_wait(SharedUpstream const& shared, int& ended) {
  co_await shared.wait_for_turn();
  ++ended;
}

struct SharedUpstreamTest : testing::Test {
  asio::io_context io;
  SharedUpstream shared;
  TaskSet tasks{io.get_executor(), [](std::exception_ptr failure) { std::rethrow_exception(failure); }};
  int ended = 0;
};

TEST_F(SharedUpstreamTest, NobodyWaitsWhileNobodyDials) {
  tasks.start(count_wait(shared, ended));
  io.poll();
  EXPECT_EQ(ended, 1);
}

TEST_F(SharedUpstreamTest, OneDialsAndTheOthersWaitForIt) {
  auto turn = shared.take_turn(io.get_executor());
  ASSERT_TRUE(turn);
  EXPECT_FALSE(shared.take_turn(io.get_executor()));
  for (int i = 0; i < 3; ++i) tasks.start(count_wait(shared, ended));
  io.poll();
  EXPECT_EQ(ended, 0);
  turn.reset();
  tasks.start(count_wait(shared, ended));  // begins before those that waited have gone on
  EXPECT_TRUE(shared.take_turn(io.get_executor())) << "the next one has not to wait for them either";
  io.restart();
  io.poll();
  EXPECT_EQ(ended, 4);
}

TEST_F(SharedUpstreamTest, TurnOutlivesWhatItIsOf) {
  std::optional<SharedUpstream> other(std::in_place);
  auto turn = other->take_turn(io.get_executor());
  tasks.start(count_wait(*other, ended));
  io.poll();
  EXPECT_EQ(ended, 0);
  other.reset();
  turn.reset();
  io.poll();
  EXPECT_EQ(ended, 1);
}

}  // namespace
}  // namespace sallyport::proxy
