#include "proxy/tenant.hpp"

#include "policies/yaml_loader.hpp"
#include "tests/proxy/memory_files.hpp"
#include "tests/proxy/tenant_parts.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <memory>

namespace sallyport::proxy {
namespace {

class TenantTest : public testing::Test {
 protected:
  tests::TenantParts parts_;
  Tenant tenant_{{"ci", std::make_shared<policies::Policy>()}, parts_.shared()};
  Tenant neighbour_{{"lab", std::make_shared<policies::Policy>()}, parts_.shared()};
};

TEST_F(TenantTest, WhatItsRequestsCountLeavesTheNeighboursBudgetAlone) {
  policies::Rule rule;
  rule.name = "r";
  rule.limits.requests_per_minute = 1;
  RateWindow::time_point const now{};
  EXPECT_FALSE(tenant_.session_deps().budget.start_request(rule, std::nullopt, now));
  EXPECT_TRUE(tenant_.session_deps().budget.start_request(rule, std::nullopt, now)) << "the second in a minute is refused";
  EXPECT_FALSE(neighbour_.session_deps().budget.start_request(rule, std::nullopt, now)) << "a rule of the same name is another's";
}

TEST_F(TenantTest, APolicyThatCannotBeReadLeavesTheOldOne) {
  auto const answer = tenant_.take_policy(tests::memory_file("no bundle"));
  EXPECT_EQ(answer.digest, "");
  EXPECT_NE(answer.error, "");
  EXPECT_EQ(parts_.metrics.numbers().reloads, 0U);
}

TEST_F(TenantTest, APolicyIsTakenByTheOneItIsFor) {
  auto const path = testing::TempDir() + "tenant_test.yaml";
  std::ofstream(path) << "version: 1\nname: new\negress: []\n";
  auto const loaded = policies::load_policy_for_sharing({"", "", {path}, {}}).value();
  std::filesystem::remove(path);
  auto const answer = tenant_.take_policy(tests::memory_file(loaded.bundle));
  EXPECT_EQ(answer.error, "");
  EXPECT_EQ(tenant_.engine().policy().name, "new");
  EXPECT_EQ(answer.digest, tenant_.engine().policy().digest);
  EXPECT_EQ(neighbour_.engine().policy().name, "");
  EXPECT_EQ(parts_.metrics.numbers().reloads, 1U);
}

}  // namespace
}  // namespace sallyport::proxy
