#include "jail/privileges.hpp"

#include "tests/jail/forked.hpp"

#include <gtest/gtest.h>

#include <linux/capability.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <functional>

namespace sallyport::jail {
namespace {

constexpr unsigned kOther = 4242;

ChildInput input_for(Plan const& plan) {
  ChildInput input{plan, -1, -1, {}, {}, {}, {}};
  std::snprintf(input.uid_map, sizeof input.uid_map, "%u %u 1", plan.identity.uid, plan.identity.uid);
  std::snprintf(input.gid_map, sizeof input.gid_map, "%u %u 1", plan.identity.gid, plan.identity.gid);
  return input;
}

Plan own_plan() {
  Plan plan;
  plan.identity = {::geteuid(), ::getegid(), false};
  return plan;
}

/// In a new user namespace, where this process has every capability.
void in_user_namespace(std::function<void()> const& body) {
  isolated([&] {
    Plan const plan = own_plan();
    ASSERT_EQ(::unshare(CLONE_NEWUSER), 0);
    ASSERT_EQ(write_id_maps(input_for(plan)), 0);
    body();
  });
}

bool no_capability_in_any_set() {
  __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
  __user_cap_data_struct sets[_LINUX_CAPABILITY_U32S_3]{};
  EXPECT_EQ(::syscall(SYS_capget, &header, sets), 0);
  for (auto const& set : sets)
    if (set.effective | set.permitted | set.inheritable) return false;
  for (int capability = 0; capability <= CAP_LAST_CAP; ++capability) {
    if (::prctl(PR_CAPBSET_READ, capability, 0, 0, 0) > 0) return false;
    if (::prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_IS_SET, capability, 0, 0) > 0) return false;
  }
  return true;
}

TEST(Privileges, TheMapKeepsTheUserAndDeniesGroupsForGood) {
  auto const uid = ::geteuid();
  auto const gid = ::getegid();
  in_user_namespace([&] {
    EXPECT_EQ(::geteuid(), uid);
    EXPECT_EQ(::getegid(), gid);
    gid_t const group = gid;
    EXPECT_EQ(::syscall(SYS_setgroups, 1, &group), -1);
    EXPECT_EQ(errno, EPERM);
  });
}

TEST(Privileges, AMapIsWrittenOnce) {
  in_user_namespace([] {
    Plan const plan = own_plan();
    EXPECT_NE(write_id_maps(input_for(plan)), 0);
  });
}

TEST(Privileges, AreDroppedFromEverySet) {
  in_user_namespace([] {
    EXPECT_FALSE(no_capability_in_any_set());
    EXPECT_EQ(drop_capabilities(), 0);
    EXPECT_TRUE(no_capability_in_any_set());
    EXPECT_NE(::unshare(CLONE_NEWNET), 0);
  });
}

TEST(Privileges, NoFurtherUserNamespaceCanBeMade) {
  in_user_namespace([] {
    ASSERT_EQ(forbid_user_namespaces(), 0);
    EXPECT_EQ(::unshare(CLONE_NEWUSER), -1);
    EXPECT_EQ(errno, ENOSPC);
  });
}

TEST(Privileges, NoNewOnesComeWithAProgram) {
  isolated([] {
    ASSERT_EQ(set_no_new_privs(), 0);
    EXPECT_EQ(::prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0), 1);
  });
}

TEST(Privileges, AnUnchangedIdentityNeedsNoChange) {
  Plan const plan = own_plan();
  EXPECT_EQ(settle_identity(input_for(plan)), 0);
}

/// Root becomes the jail's user in all three ids; anybody else may not.
TEST(Privileges, AChangedIdentityIsChangedForGood) {
  bool const root = ::geteuid() == 0;
  isolated([&] {
    Plan plan;
    plan.identity = {kOther, kOther, true};
    EXPECT_EQ(settle_identity(input_for(plan)), root ? 0 : EPERM);
    if (!root) return;
    uid_t real = 0, effective = 0, saved = 0;
    ASSERT_EQ(::getresuid(&real, &effective, &saved), 0);
    EXPECT_TRUE(real == kOther && effective == kOther && saved == kOther);
    EXPECT_NE(::setuid(0), 0);
  });
}

}  // namespace
}  // namespace sallyport::jail
