#include "cli/identity.hpp"

#include "tests/support/temp_dir.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <unistd.h>

namespace sallyport::cli {
namespace {

using ::testing::HasSubstr;

bool is_root() { return ::geteuid() == 0; }

void refused(std::string const& as, std::string const& why) {
  auto const choice = choose_identity("/", as);
  ASSERT_FALSE(choice) << as;
  EXPECT_EQ(choice.error().code, Code::invalid) << as;
  EXPECT_THAT(choice.error().what, HasSubstr(is_root() ? why : "--as needs root")) << as;
}
/// For root; an ordinary user may choose nobody.
void runs_as(std::string const& as, unsigned uid, unsigned gid) {
  auto const choice = choose_identity("/", as);
  ASSERT_EQ(choice.has_value(), is_root()) << as;
  if (!choice) return;
  EXPECT_EQ(choice->identity.uid, uid) << as;
  EXPECT_EQ(choice->identity.gid, gid) << as;
  EXPECT_TRUE(choice->identity.changed) << as;
  EXPECT_EQ(choice->workspace, jail::Workspace::as_it_is) << as;
}

TEST(Identity, OfARequestIsNeverRootOrUnknown) {
  refused("root", "never runs as root");
  refused("0", "never runs as root");
  refused("00", "never runs as root");
  refused("no-such-user", "no user 'no-such-user'");
  refused("-1", "no user");
  refused("4294967296", "no user");
  refused("12x", "no user");
}

TEST(Identity, OfARequestIsTheUserNamed) {
  runs_as("nobody", 65534, 65534);
  runs_as("65534", 65534, 65534);
  runs_as("54321", 54321, 54321);  // without an account
}

TEST(Identity, OfAnOrdinaryCallerIsItsOwn) {
  if (is_root()) GTEST_SKIP() << "root is no ordinary caller";
  auto const choice = choose_identity("/", "");
  ASSERT_TRUE(choice);
  EXPECT_EQ(choice->identity.uid, ::geteuid());
  EXPECT_EQ(choice->identity.gid, ::getegid());
  EXPECT_FALSE(choice->identity.changed);
}

class IdentityForRoot : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!is_root()) GTEST_SKIP() << "only root chooses by the owner of the workspace";
  }
  Choice choice_for(uid_t owner, gid_t group) const {
    EXPECT_EQ(::chown(workspace_.path().c_str(), owner, group), 0);
    auto const choice = choose_identity(workspace_.path().string(), "");
    EXPECT_TRUE(choice);
    return *choice;
  }
  test::TempDir workspace_;
};

TEST_F(IdentityForRoot, IsTheOwnerOfTheWorkspace) {
  auto const choice = choice_for(4242, 4243);
  EXPECT_EQ(choice.identity.uid, 4242U);
  EXPECT_EQ(choice.identity.gid, 4243U);
  EXPECT_TRUE(choice.identity.changed);
  EXPECT_EQ(choice.workspace, jail::Workspace::as_it_is);
}

TEST_F(IdentityForRoot, IsNeverInRootsGroup) { EXPECT_EQ(choice_for(4242, 0).identity.gid, 4242U); }

TEST_F(IdentityForRoot, IsNobodysUserInAWorkspaceOfRoot) {
  auto const choice = choice_for(0, 0);
  EXPECT_EQ(choice.identity.uid, kNobodysUser);
  EXPECT_EQ(choice.identity.gid, kNobodysUser);
  EXPECT_EQ(choice.workspace, jail::Workspace::owned_by_root);
}

TEST_F(IdentityForRoot, NeedsAWorkspace) { EXPECT_FALSE(choose_identity("/absent/workspace", "")); }

}  // namespace
}  // namespace sallyport::cli
