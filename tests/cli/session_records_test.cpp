#include "cli/session_records.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace sallyport::cli {
namespace {

using testing::Contains;
using testing::ElementsAre;

TEST(SessionRecords, RunSaysWhatIsEnforcedAndUnderWhichPolicy) {
  policies::Policy policy;
  policy.name = "npm";
  policy.digest = "sha256:00";
  policy.layers = {"preset npm"};
  jail::Plan plan;
  plan.identity.uid = 1234;
  plan.argv = {"npm", "ci"};
  auto const record = run_start(policy, plan, "/srv/project");
  EXPECT_EQ(record.policy, "npm");
  EXPECT_EQ(record.policy_digest, "sha256:00");
  EXPECT_THAT(record.layers, ElementsAre("preset npm"));
  EXPECT_THAT(record.argv, ElementsAre("npm", "ci"));
  EXPECT_EQ(record.uid, 1234U);
  EXPECT_EQ(record.workspace, "/srv/project");
  EXPECT_THAT(record.enforced, Contains("seccomp"));
  EXPECT_TRUE(record.degraded.empty());
  EXPECT_FALSE(record.kernel.empty());
}

TEST(SessionRecords, ProxyClaimsNoJail) {
  auto const record = proxy_start(policies::Policy{}, {"--listen=127.0.0.1:3128"});
  EXPECT_THAT(record.argv, ElementsAre("proxy", "--listen=127.0.0.1:3128"));
  EXPECT_THAT(record.enforced, ElementsAre("confined gateway"));
  EXPECT_THAT(record.degraded, testing::Contains("command audit (unavailable)"));
}

TEST(SessionRecords, AttachSaysWhetherCommandsAreSeen) {
  auto const seen = attach_start(policies::Policy{}, {"attach", "--pid=7"}, CommandAudit::after_the_fact);
  EXPECT_THAT(seen.enforced, Contains("command audit (after the fact)"));
  EXPECT_TRUE(seen.degraded.empty());
  auto const unseen = attach_start(policies::Policy{}, {"attach", "--pid=7"}, CommandAudit::unavailable);
  EXPECT_THAT(unseen.degraded, Contains("command audit (unavailable)"));
  EXPECT_THAT(unseen.enforced, testing::Not(Contains("command audit (after the fact)")));
}

TEST(SessionRecords, UpstreamProxyThatLooksNamesUpTakesTheAddressGuardAway) {
  policies::UpstreamRoute route{policies::parse_upstream_proxy("http://me:hunter2@proxy.example:3128").value(), {}};
  EXPECT_THAT(routed({}, &route).degraded, ElementsAre("address guard (http://proxy.example:3128 looks names up)"));
  route.proxy.looks_up_names = false;
  EXPECT_TRUE(routed({}, &route).degraded.empty());
  EXPECT_TRUE(routed({}, nullptr).degraded.empty());
}

}  // namespace
}  // namespace sallyport::cli
