#include "jail/launch.hpp"

#include "jail/receive.hpp"
#include "tests/jail/forked.hpp"
#include "tests/jail/workplace.hpp"
#include "tests/support/host_state.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <optional>

namespace sallyport::jail {
namespace {

using namespace std::chrono_literals;
using ::testing::HasSubstr;

bool ends_within(UniqueFd const& pidfd, std::chrono::milliseconds patience) {
  pollfd waiting{pidfd.get(), POLLIN, 0};
  return ::poll(&waiting, 1, static_cast<int>(patience.count())) == 1;
}

TEST(Launch, HandsOverTheSocketsAndWaitsForTheStart) {
  Workplace const place;
  Plan const plan = place.plan({"/bin/true"});
  RunningJail jail(plan);
  auto const handover = await_setup(jail.get(), plan);
  ASSERT_TRUE(handover) << handover.error().what;
  auto const sockets = receive_report(jail.sockets().get(), 10s);
  ASSERT_TRUE(sockets) << sockets.error().what;
  EXPECT_EQ(sockets->report.kind, Report::Kind::sockets);
  EXPECT_EQ(sockets->fds.size(), plan.ipv6 == Ipv6::present ? socket_order::count : socket_order::kWithoutIpv6);
  EXPECT_FALSE(ends_within(jail.get().pidfd, 0ms));
}

TEST(Launch, TheJailEndsWhenItsReportSocketIsClosed) {
  Workplace const place;
  Plan const plan = place.plan({"/bin/true"});
  int ends[2];
  ASSERT_EQ(::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends), 0);
  LaunchOptions options;
  options.sockets_fd = ends[1];
  auto jail = launch(plan, options);
  ASSERT_TRUE(jail) << jail.error().what;
  EXPECT_TRUE(await_setup(*jail, plan));
  ::close(ends[0]);
  ::close(ends[1]);
  auto const pidfd = std::move(jail->pidfd);
  auto report = std::optional(std::move(jail->report));
  report.reset();
  EXPECT_TRUE(ends_within(pidfd, 10s));
  EXPECT_EQ(::waitpid(jail->pid, nullptr, 0), jail->pid);
}

TEST(Launch, NamesTheMountThatFailed) {
  Workplace const place;
  Plan plan = place.plan({"/bin/true"});
  plan.mounts.push_back({MountStep::Kind::bind, "/absent/source", "usr", "", Access::read_only, 0, -1});
  RunningJail const jail(plan);
  auto const handover = await_setup(jail.get(), plan);
  ASSERT_FALSE(handover);
  EXPECT_EQ(handover.error().os_errno, ENOENT);
  EXPECT_THAT(handover.error().what, HasSubstr("mounts (/usr from /absent/source)"));
}

TEST(Launch, DestroyEndsAJailAtAnyTime) {
  Workplace const place;
  Plan const plan = place.plan({"/bin/true"});
  RunningJail const jail(plan);
  destroy(jail.get());
  EXPECT_TRUE(ends_within(jail.get().pidfd, 0ms));
  EXPECT_FALSE(await_setup(jail.get(), plan));
}

TEST(Launch, TheJailDiesWithItsParent) {
  Workplace const place;
  Plan const plan = place.plan({"/bin/true"});
  int pids[2];
  ASSERT_EQ(::pipe(pids), 0);
  Child parent([&] {
    RunningJail const jail(plan);
    if (!await_setup(jail.get(), plan)) return 1;
    pid_t const pid = jail.get().pid;
    if (::write(pids[1], &pid, sizeof pid) != sizeof pid) return 1;
    ::pause();
    return 0;
  });
  pid_t pid = 0;
  ASSERT_EQ(::read(pids[0], &pid, sizeof pid), static_cast<ssize_t>(sizeof pid));
  EXPECT_TRUE(test::alive(pid));
  parent.kill(SIGKILL);
  parent.wait();
  EXPECT_TRUE(test::eventually(10s, [&] { return !test::alive(pid); }));
  ::close(pids[0]);
  ::close(pids[1]);
}

TEST(Launch, KeepsTheCallersIdentity) {
  Workplace const place;
  Plan const plan = place.plan({"/bin/true"});
  auto const uid = ::geteuid();
  auto const gid = ::getegid();
  RunningJail const jail(plan);
  EXPECT_EQ(::geteuid(), uid);
  EXPECT_EQ(::getegid(), gid);
}

}  // namespace
}  // namespace sallyport::jail
