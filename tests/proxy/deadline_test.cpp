#include "proxy/deadline.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <optional>
#include <vector>

namespace sallyport::proxy {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;

class DeadlineTest : public testing::Test {
 protected:
  std::function<void()> note(int which) {
    return [this, which] { over_.push_back(which); };
  }

  asio::io_context io_{1};
  std::vector<int> over_;
};

TEST_F(DeadlineTest, ComeInTheOrderOfTheirTimes) {
  Deadline const late(io_.get_executor(), 30ms, note(3));
  Deadline const soon(io_.get_executor(), 10ms, note(1));
  Deadline const between(io_.get_executor(), 20ms, note(2));
  EXPECT_FALSE(soon.is_over());
  io_.run();
  EXPECT_THAT(over_, ElementsAre(1, 2, 3));
  EXPECT_TRUE(late.is_over());
}

TEST_F(DeadlineTest, DoNotComeWhenTheyAreGone) {
  std::optional<Deadline> gone;
  gone.emplace(io_.get_executor(), 10ms, note(1));
  Deadline const stays(io_.get_executor(), 20ms, note(2));
  gone.reset();
  io_.run();
  EXPECT_THAT(over_, ElementsAre(2));
}

TEST_F(DeadlineTest, MayStartAgainWhileTheyAreOver) {
  std::optional<Deadline> twice;
  twice.emplace(io_.get_executor(), 5ms, [&] {
    over_.push_back(static_cast<int>(over_.size()));
    if (over_.size() < 3) twice->restart(std::chrono::steady_clock::now() + 5ms);
  });
  io_.run();
  EXPECT_THAT(over_, ElementsAre(0, 1, 2));
}

TEST_F(DeadlineTest, OneThatIsAlreadyOverComesAtOnce) {
  Deadline const none(io_.get_executor(), 0ms, note(1));
  io_.run();
  EXPECT_THAT(over_, ElementsAre(1));
}

}  // namespace
}  // namespace sallyport::proxy
