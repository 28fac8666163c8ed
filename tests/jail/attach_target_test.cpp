#include "jail/attach_target.hpp"

#include "jail/privileges.hpp"
#include "tests/jail/forked.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sched.h>
#include <unistd.h>

namespace sallyport::jail {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;

/// A process in a network namespace of its own, until the end of the scope.
class Contained {
 public:
  enum class Power { all, none };
  explicit Contained(Power power)
      : child_([this, power] {
          if (::unshare(CLONE_NEWUSER | CLONE_NEWNET) < 0) return 1;
          if (power == Power::none && drop_capabilities() != 0) return 1;
          ready_.open();
          return ::pause();
        }) {
    ready_.close_writer();
    ready_.pass();
  }
  pid_t pid() const { return child_.pid(); }

 private:
  Gate ready_;
  Child child_;
};

TEST(AttachTarget, OurOwnNetworkIsRefused) {
  auto const target = open_process(::getpid());
  ASSERT_FALSE(target);
  EXPECT_THAT(target.error().what, HasSubstr("--network none"));
  EXPECT_FALSE(open_namespace("/proc/self/ns/net"));
}

TEST(AttachTarget, WhatIsNoNetworkNamespaceIsRefused) {
  EXPECT_FALSE(open_namespace("/proc/self/ns/mnt"));
  EXPECT_FALSE(open_namespace("/etc/passwd"));
  EXPECT_FALSE(open_namespace("/nowhere"));
  EXPECT_FALSE(open_process(4'194'305));  // above PID_MAX_LIMIT
}

TEST(AttachTarget, FindsTheProcessesOfTheNamespace) {
  Contained const container(Contained::Power::none);
  auto const target = open_process(container.pid());
  ASSERT_TRUE(target) << target.error().what;
  EXPECT_THAT(processes_in(target->id), Contains(container.pid()));
  EXPECT_EQ(processes_in(target->id).size(), 1U);
}

TEST(AttachTarget, AProcessWithoutCapabilitiesIsHeld) {
  Contained const container(Contained::Power::none);
  auto const target = open_process(container.pid());
  ASSERT_TRUE(target) << target.error().what;
  EXPECT_TRUE(check_powerless(*target));
}

TEST(AttachTarget, AProcessThatMayChangeTheNetworkIsNamed) {
  Contained const container(Contained::Power::all);
  auto const target = open_process(container.pid());
  ASSERT_TRUE(target) << target.error().what;
  auto const held = check_powerless(*target);
  ASSERT_FALSE(held);
  EXPECT_THAT(held.error().what, HasSubstr("process " + std::to_string(container.pid())));
  EXPECT_THAT(held.error().what, HasSubstr("NET_ADMIN"));
}

}  // namespace
}  // namespace sallyport::jail
