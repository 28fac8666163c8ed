#include "jail/prepared_mounts.hpp"

#include "tests/jail/workplace.hpp"
#include "tests/support/host_state.hpp"

#include <gtest/gtest.h>

#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

namespace sallyport::jail {
namespace {

/// Only root opens mounts; for anybody else the same calls are refused.
class PreparedMounts : public ::testing::Test {
 protected:
  void SetUp() override {
    if (::geteuid() != 0) GTEST_SKIP() << "only root prepares mounts";
  }
  Workplace place_;
};

bool is_host_bind(MountStep const& step) { return step.kind == MountStep::Kind::bind && step.source.starts_with('/'); }

TEST(PreparedMountsOfAUser, AreRefused) {
  if (::geteuid() == 0) GTEST_SKIP() << "root may prepare mounts";
  Workplace const place;
  Plan plan = place.plan({"/bin/true"});
  auto const trees = prepare_mounts(plan, place.workspace(), Workspace::as_it_is);
  ASSERT_FALSE(trees);
  EXPECT_EQ(trees.error().os_errno, EPERM);
}

TEST_F(PreparedMounts, OpenEveryBindOfTheHostAndNothingElse) {
  Plan plan = place_.plan({"/bin/true"});
  auto const trees = prepare_mounts(plan, place_.workspace(), Workspace::as_it_is);
  ASSERT_TRUE(trees) << trees.error().what;
  EXPECT_EQ(static_cast<std::ptrdiff_t>(trees->size()), std::ranges::count_if(plan.mounts, is_host_bind));
  for (auto const& step : plan.mounts) EXPECT_EQ(step.tree_fd >= 0, is_host_bind(step)) << step.target;
}

TEST_F(PreparedMounts, AreClosedWithTheResult) {
  Plan plan = place_.plan({"/bin/true"});
  auto const before = test::open_fds();
  { ASSERT_TRUE(prepare_mounts(plan, place_.workspace(), Workspace::as_it_is)); }
  EXPECT_EQ(test::open_fds(), before);
}

TEST_F(PreparedMounts, NameTheSourceThatIsNotThere) {
  Plan plan = place_.plan({"/bin/true"});
  plan.mounts.push_back({MountStep::Kind::bind, "/absent/source", "x", "", Access::read_only, 0, -1});
  auto const trees = prepare_mounts(plan, place_.workspace(), Workspace::as_it_is);
  ASSERT_FALSE(trees);
  EXPECT_NE(trees.error().what.find("/absent/source"), std::string::npos);
}

/// A workspace below a directory that the jail's user may not enter.
TEST_F(PreparedMounts, ShowWhatTheUserCouldNotReach) {
  std::filesystem::permissions(std::filesystem::path(place_.workspace()).parent_path(), std::filesystem::perms(0700));
  Plan plan = place_.plan({"/bin/sh", "-c", "echo yes >here"});
  auto const trees = prepare_mounts(plan, place_.workspace(), Workspace::as_it_is);
  ASSERT_TRUE(trees) << trees.error().what;
  EXPECT_EQ(WEXITSTATUS(run(plan).status), 0);
  EXPECT_EQ(test::read_file(place_.workspace() + "/here"), "yes\n");
}

/// Inside, root's files are the jail's own; outside, what the jail makes is root's.
TEST_F(PreparedMounts, ShowAWorkspaceOfRootAsTheJailsOwn) {
  ASSERT_EQ(::chown(place_.workspace().c_str(), 0, 0), 0);
  Plan plan = place_.plan({"/bin/sh", "-c", "stat -c %u . >owner"});
  auto const trees = prepare_mounts(plan, place_.workspace(), Workspace::owned_by_root);
  ASSERT_TRUE(trees) << trees.error().what;
  EXPECT_EQ(WEXITSTATUS(run(plan).status), 0);
  EXPECT_EQ(test::read_file(place_.workspace() + "/owner"), std::to_string(Workplace::kOwner) + "\n");
  struct stat made {};
  ASSERT_EQ(::stat((place_.workspace() + "/owner").c_str(), &made), 0);
  EXPECT_EQ(made.st_uid, 0U);
}

}  // namespace
}  // namespace sallyport::jail
