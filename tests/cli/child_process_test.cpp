#include "cli/child_process.hpp"

#include "cli/exit_status.hpp"

#include <gtest/gtest.h>
#include <poll.h>
#include <signal.h>

namespace sallyport::cli {
namespace {

constexpr int kPatienceMs = 10000;

TEST(ChildProcess, EndsWithTheStatusOfItsBody) {
  auto const child = fork_child([] { return 7; }).value();
  EXPECT_EQ(wait_for(child.pid), 7);
}

TEST(ChildProcess, ASignalIsAStatusToo) {
  auto const child = fork_child([] { return ::raise(SIGKILL); }).value();
  EXPECT_EQ(wait_for(child.pid), kSignalBase + SIGKILL);
}

TEST(ChildProcess, ItsDescriptorSaysThatItHasEnded) {
  auto const child = fork_child([] { return 0; }).value();
  pollfd waiting{child.life.get(), POLLIN, 0};
  EXPECT_EQ(::poll(&waiting, 1, kPatienceMs), 1);
  wait_for(child.pid);
}

/// A pipe whose writing end is open as long as the child or its own child lives.
TEST(ChildProcess, DiesWithItsParent) {
  int pipe[2];
  ASSERT_EQ(::pipe(pipe), 0);
  auto const child = fork_child([&]() -> int {
    auto const grandchild = fork_child([&, parent = ::getpid()]() -> int {
      if (!die_with(parent)) return 1;
      char const up = 'u';
      if (::write(pipe[1], &up, 1) != 1) return 1;
      for (;;) ::pause();
    });
    for (;;) ::pause();
  }).value();
  ::close(pipe[1]);
  char got = 0;
  ASSERT_EQ(::read(pipe[0], &got, 1), 1);
  ::kill(child.pid, SIGKILL);
  wait_for(child.pid);
  pollfd waiting{pipe[0], POLLIN, 0};
  ASSERT_EQ(::poll(&waiting, 1, kPatienceMs), 1);
  EXPECT_EQ(::read(pipe[0], &got, 1), 0);
  ::close(pipe[0]);
}

TEST(ChildProcess, AStrangersParentIsGone) { EXPECT_FALSE(die_with(::getpid())); }

TEST(ChildProcess, ItStaysWhoItIsWhereNothingChanges) {
  EXPECT_TRUE(become(jail::Identity{::geteuid() + 1, ::getegid() + 1, false}));
}

TEST(ChildProcess, RootBecomesAnotherForGood) {
  if (::geteuid() != 0) GTEST_SKIP() << "needs root";
  auto const child = fork_child([] {
    if (!become(jail::Identity{61000, 61000, true})) return 1;
    return ::geteuid() == 61000 && ::getegid() == 61000 && ::setresuid(0, 0, 0) < 0 ? 0 : 2;
  }).value();
  EXPECT_EQ(wait_for(child.pid), 0);
}

}  // namespace
}  // namespace sallyport::cli
