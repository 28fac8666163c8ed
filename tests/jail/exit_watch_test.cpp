#include "jail/exit_watch.hpp"

#include "jail/process_exit.hpp"
#include "tests/jail/forked.hpp"
#include "tests/jail/memory_sink.hpp"

#include <gtest/gtest.h>

#include <poll.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace sallyport::jail {
namespace {

using namespace std::chrono_literals;

std::optional<pid_t> no_parent(pid_t) { return std::nullopt; }

int wait_for_ever() {
  ::pause();
  return 0;
}

class ExitWatchTest : public ::testing::Test {
 protected:
  bool readable() const {
    pollfd waiting{watch_.descriptor(), POLLIN, 0};
    return ::poll(&waiting, 1, 0) == 1;
  }
  /// The only record there should be.
  audit::CommandExit only_record() const {
    auto const records = sink_.all<audit::CommandExit>();
    EXPECT_EQ(records.size(), 1U);
    return records.empty() ? audit::CommandExit{} : records.front();
  }

  MemorySink sink_;
  FakeClock clock_;
  CommandTable table_{no_parent};
  ExitWatch watch_{*UniqueFd::adopt(::epoll_create1(EPOLL_CLOEXEC), "epoll"), sink_, clock_, table_};
};

TEST_F(ExitWatchTest, WritesHowACommandEnded) {
  Child child(wait_for_ever);
  table_.executed(child.pid(), 5);
  ASSERT_TRUE(watch_.started(child.pid(), 5));
  EXPECT_FALSE(readable());
  clock_.advance(3ms);
  child.kill(SIGTERM);
  child.wait();
  EXPECT_TRUE(readable());
  ASSERT_TRUE(watch_.handle_ended());
  auto const record = only_record();
  EXPECT_EQ(record.pid, child.pid());
  EXPECT_EQ(record.exec, 5U);
  EXPECT_EQ(record.duration_us, 3000U);
  EXPECT_FALSE(record.exit_code);
  EXPECT_EQ(record.signal.value_or(SIGTERM), SIGTERM);  // not every kernel tells
  EXPECT_EQ(sink_.committed, 1U);
  EXPECT_FALSE(table_.last_of(child.pid()));
}

TEST_F(ExitWatchTest, WritesTheExitCode) {
  Gate gate;
  Child child([&] {
    gate.pass();
    return 7;
  });
  ASSERT_TRUE(watch_.started(child.pid(), 1));
  gate.open();
  child.wait();
  ASSERT_TRUE(watch_.handle_ended());
  auto const record = only_record();
  EXPECT_FALSE(record.signal);
  EXPECT_EQ(record.exit_code.value_or(7), 7);
}

TEST_F(ExitWatchTest, WaitsForTheParentOfAProcessWhereTheKernelTellsOnlyThen) {
  Child child(wait_for_ever);
  auto const pidfd = *UniqueFd::adopt(static_cast<int>(::syscall(SYS_pidfd_open, child.pid(), 0)), "pidfd_open");
  ASSERT_TRUE(watch_.started(child.pid(), 1));
  child.kill(SIGKILL);
  child.wait_for_zombie();
  bool const kernel_tells = exit_info(pidfd).knowledge == ExitKnowledge::not_reaped;
  ASSERT_TRUE(watch_.handle_ended());
  EXPECT_EQ(sink_.events.size(), kernel_tells ? 0U : 1U);
  child.wait();
  EXPECT_EQ(readable(), kernel_tells);
  ASSERT_TRUE(watch_.handle_ended());
  only_record();
}

TEST_F(ExitWatchTest, NamesTheLastCommandOfAProcess) {
  Child child(wait_for_ever);
  ASSERT_TRUE(watch_.started(child.pid(), 1));
  ASSERT_TRUE(watch_.started(child.pid(), 2));
  child.kill(SIGKILL);
  child.wait();
  ASSERT_TRUE(watch_.handle_ended());
  EXPECT_EQ(only_record().exec, 2U);
}

TEST_F(ExitWatchTest, WritesAtOnceForAProcessThatIsGone) {
  Child child([] { return 0; });
  child.wait();
  ASSERT_TRUE(watch_.started(child.pid(), 9));
  EXPECT_EQ(only_record().exec, 9U);
  EXPECT_FALSE(only_record().exit_code);
}

TEST_F(ExitWatchTest, FailsWithTheAuditLog) {
  Child child(wait_for_ever);
  ASSERT_TRUE(watch_.started(child.pid(), 1));
  child.kill(SIGKILL);
  child.wait();
  sink_.broken = true;
  EXPECT_FALSE(watch_.handle_ended());
}

}  // namespace
}  // namespace sallyport::jail
