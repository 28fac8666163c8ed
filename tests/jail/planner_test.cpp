#include "jail/planner.hpp"

#include "tests/support/test_ca.hpp"
#include "tests/jail/workplace.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace sallyport::jail {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

class Planner : public ::testing::Test {
 protected:
  void refused(std::string const& workspace, std::string const& why) const {
    auto request = place_.request({"true"});
    request.workspace = request.cwd = workspace;
    auto const plan = make_plan(request, {});
    ASSERT_FALSE(plan) << workspace;
    EXPECT_EQ(plan.error().code, Code::invalid);
    EXPECT_THAT(plan.error().what, HasSubstr(why));
    EXPECT_THAT(plan.error().what, HasSubstr("--workspace DIR"));
  }
  std::vector<std::string> candidates(std::string program, std::string path) const {
    auto request = place_.request({std::move(program)});
    request.environment["PATH"] = std::move(path);
    return make_plan(request, {})->candidates;
  }

  Workplace place_;
};

TEST_F(Planner, RefusesAWorkspaceThatHoldsTheHome) {
  refused(place_.home(), "your home directory");
  refused(std::filesystem::path(place_.home()).parent_path(), "your home directory");
  refused("/", "your home directory");
}

TEST_F(Planner, RefusesASystemDirectoryAsWorkspace) {
  for (auto path : {"/usr", "/etc", "/var", "/dev", "/proc", "/sys", "/run", "/root", "/boot"})
    refused(path, "system directory");
}

TEST_F(Planner, TrustsAnAuthorityOnlyIfThereIsOne) {
  auto request = place_.request({"true"});
  auto const trusts = [](Plan const& plan) {
    return std::ranges::any_of(plan.mounts, [](auto const& step) { return step.target == ".sallyport/session-ca.crt"; });
  };
  EXPECT_FALSE(trusts(make_plan(request, {}).value()));
  request.authority = test::TestCa().pem();
  auto const plan = make_plan(request, {}).value();
  EXPECT_TRUE(trusts(plan));
  EXPECT_THAT(plan.environment, Contains("NODE_EXTRA_CA_CERTS=/.sallyport/session-ca.crt"));
}

TEST_F(Planner, TakesAProjectBelowTheHome) {
  auto request = place_.request({"true"});
  request.home = std::filesystem::path(place_.workspace()).parent_path();
  EXPECT_TRUE(make_plan(request, {}));
}

TEST_F(Planner, LooksForTheProgramInThePathOfTheJail) {
  EXPECT_THAT(candidates("npm", "/a:/b/c"), ElementsAre("/a/npm", "/b/c/npm"));
  EXPECT_THAT(candidates("npm", ":/a::"), ElementsAre("/a/npm"));
  EXPECT_THAT(candidates("./npm", "/a"), ElementsAre("./npm"));
  EXPECT_THAT(candidates("/opt/npm", "/a"), ElementsAre("/opt/npm"));
}

TEST_F(Planner, PutsEveryProtectionIntoThePlan) {
  auto const plan = place_.plan({"npm", "install"});
  EXPECT_THAT(plan.argv, ElementsAre("npm", "install"));
  EXPECT_EQ(plan.cwd, place_.workspace());
  EXPECT_THAT(plan.environment, Contains("SALLYPORT=1"));
  EXPECT_FALSE(plan.mounts.empty());
  EXPECT_FALSE(plan.net_links.empty());
  EXPECT_FALSE(plan.net_rules.empty());
  EXPECT_FALSE(plan.packet_log_bind.empty());
  EXPECT_FALSE(plan.seccomp.empty());
}

TEST_F(Planner, PassesOnWhatIsWrongWithThePolicysPaths) {
  policies::Policy policy;
  policy.filesystem.read = {"/absent/directory"};
  auto const plan = make_plan(place_.request({"true"}), policy);
  ASSERT_FALSE(plan);
  EXPECT_THAT(plan.error().what, HasSubstr("/absent/directory"));
}

}  // namespace
}  // namespace sallyport::jail
