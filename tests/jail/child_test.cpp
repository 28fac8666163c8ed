// Every step of the set-up fails in turn, and nothing is left: no descriptor, no process, so no namespace and no network.
#include "jail/child.hpp"

#include "jail/receive.hpp"
#include "tests/jail/forked.hpp"
#include "tests/jail/workplace.hpp"
#include "tests/support/host_state.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>

#include <cerrno>
#include <cstring>

namespace sallyport::jail {
namespace {

using namespace std::chrono_literals;
using ::testing::HasSubstr;

/// What the jail says of its failure: while it is set up, or when the command is to start.
std::string failure_of(Jail const& jail, Plan const& plan) {
  auto const handover = await_setup(jail, plan);
  if (!handover) return handover.error().what;
  static_cast<void>(start_command(jail));
  for (;;) {
    auto const received = receive_report(jail.report.get(), 10s);
    if (!received) return "no failure was reported: " + received.error().what;
    Report const& report = received->report;
    if (report.kind != Report::Kind::failed && report.kind != Report::Kind::exec_failed) continue;
    return std::string(describe(report.step)) + ": " + std::strerror(report.error);
  }
}

bool ended(UniqueFd const& pidfd) {
  pollfd waiting{pidfd.get(), POLLIN, 0};
  return ::poll(&waiting, 1, 0) == 1;
}

/// Orphans of the jail become children of this process: without a child, nothing of the jail lives.
void fails_and_leaves_nothing(Workplace const& place, Step step) {
  auto const fds = test::open_fds();
  auto const mounts = test::mounts();
  Plan const plan = place.plan({"/bin/true"});
  {
    LaunchOptions options;
    options.fail_at = step;
    RunningJail const jail(plan, options);
    EXPECT_THAT(failure_of(jail.get(), plan), HasSubstr(std::string(describe(step)) + ": " + std::strerror(EIO)));
    destroy(jail.get());
    EXPECT_TRUE(ended(jail.get().pidfd)) << describe(step);
    EXPECT_EQ(::waitpid(-1, nullptr, WNOHANG), -1) << describe(step);
    EXPECT_EQ(errno, ECHILD) << describe(step);
  }
  EXPECT_EQ(test::open_fds(), fds) << describe(step);
  EXPECT_EQ(test::mounts(), mounts) << describe(step);
}

TEST(FaultInjection, AFailureOfAnyStepIsReportedByNameAndLeavesNothing) {
  Workplace const place;
  isolated([&] {
    ASSERT_EQ(::prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0), 0);
    for (std::int32_t i = static_cast<std::int32_t>(Step::none) + 1; i < kStepCount; ++i)
      fails_and_leaves_nothing(place, static_cast<Step>(i));
  });
}

TEST(FaultInjection, WithoutAFaultTheCommandRuns) {
  Workplace const place;
  Plan const plan = place.plan({"/bin/true"});
  RunningJail const jail(plan);
  auto const handover = await_setup(jail.get(), plan);
  ASSERT_TRUE(handover) << handover.error().what;
}

}  // namespace
}  // namespace sallyport::jail
