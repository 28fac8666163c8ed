#include "proxy/tenant.hpp"

#include "policies/yaml_loader.hpp"
#include "proxy/tls.hpp"
#include "tests/proxy/fake_audit.hpp"

#include <gtest/gtest.h>

#include <sys/mman.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <memory>

namespace sallyport::proxy {
namespace {

UniqueFd memory_file(std::string const& bytes) {
  auto file = UniqueFd::adopt(::memfd_create("test", MFD_CLOEXEC), "memfd").value();
  EXPECT_EQ(::write(file.get(), bytes.data(), bytes.size()), static_cast<ssize_t>(bytes.size()));
  return file;
}

class TenantTest : public testing::Test {
 protected:
  asio::io_context io_{1};
  tests::FakeAudit audit_{io_};
  std::vector<policies::Pin> const pins_;
  std::shared_ptr<policies::UpstreamRoute const> const route_;
  Metrics metrics_;
  TaskSet streams_{io_.get_executor(), [](std::exception_ptr) {}};
  std::unique_ptr<CaresChannel> dns_ = CaresChannel::make(io_.get_executor()).value();
  DnsCache dns_cache_{*dns_, streams_, metrics_};
  DnsResolver resolver_{HostsFile(), dns_cache_};
  Dialer dialer_;
  SyntheticNames names_{{0xfd}};
  Tls tls_{std::nullopt, {}};
  SplicePipes pipes_;
  Timeouts const timeouts_;
  TenantShared const shared_{pins_, route_, audit_, metrics_, resolver_, dialer_, names_, tls_, streams_, pipes_, timeouts_};
  Tenant tenant_{{"ci", std::make_shared<policies::Policy>()}, shared_};
  Tenant neighbour_{{"lab", std::make_shared<policies::Policy>()}, shared_};
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
  auto const answer = tenant_.take_policy(memory_file("no bundle"));
  EXPECT_EQ(answer.digest, "");
  EXPECT_NE(answer.error, "");
  EXPECT_EQ(metrics_.reloads(), 0U);
}

TEST_F(TenantTest, APolicyIsTakenByTheOneItIsFor) {
  auto const path = testing::TempDir() + "tenant_test.yaml";
  std::ofstream(path) << "version: 1\nname: new\negress: []\n";
  auto const loaded = policies::load_policy_for_sharing({"", "", {path}, {}}).value();
  std::filesystem::remove(path);
  auto const answer = tenant_.take_policy(memory_file(loaded.bundle));
  EXPECT_EQ(answer.error, "");
  EXPECT_EQ(tenant_.engine().policy().name, "new");
  EXPECT_EQ(answer.digest, tenant_.engine().policy().digest);
  EXPECT_EQ(neighbour_.engine().policy().name, "");
  EXPECT_EQ(metrics_.reloads(), 1U);
}

}  // namespace
}  // namespace sallyport::proxy
