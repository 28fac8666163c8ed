#include "cli/proxy_tenants.hpp"

#include "dlp/example.hpp"
#include "tests/support/origin.hpp"
#include "tests/support/running_proxy.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <thread>

namespace sallyport::cli {
namespace {

using namespace std::chrono_literals;
using test::RunningProxy;
using testing::HasSubstr;

/// Two tenants with a listener each, and one that is known by its address; all names lead to one origin on loopback.
class ProxyTenants : public testing::Test {
 protected:
  ProxyTenants() {
    write_policy("ci", "{hosts: [ci.example], ports: [" + port_ + "], limits: {requests_per_minute: 2}}");
    write_policy("lab", "{hosts: [lab.example], ports: [" + port_ + "]}");
    test::write_file(directory_ / "tenants.yaml",
                     "version: 1\ntenants:\n  - {name: ci, policy: ci.yaml, listen: ['" + ci_ + "']}\n  - {name: lab, policy: lab.yaml, listen: ['" + lab_ +
                         "'], clients: [127.0.0.0/8]}\n");
  }
  void write_policy(std::string const& name, std::string const& rule) const {
    auto const next = directory_ / (name + ".new");
    test::write_file(next, "version: 1\nname: " + name + "\negress:\n  - " + rule + "\n");
    std::filesystem::rename(next, directory_ / (name + ".yaml"));
  }
  std::vector<std::string> arguments() const {
    std::vector<std::string> all = {"--tenants", (directory_ / "tenants.yaml").string()};
    for (auto const* name : {"ci.example", "lab.example"}) {
      all.insert(all.end(), {"--resolve", std::string(name) + ":" + port_ + ":127.0.0.1"});
    }
    return all;
  }
  std::string status(std::string const& listener, std::string const& host, std::string const& path = "/hello") const {
    return test::run_command({.argv = {"curl", "-sS", "-o", "/dev/null", "-w", "%{http_code}", "--max-time", "20", "-x", "http://" + listener,
                                       "http://" + host + ":" + port_ + path}}).out;
  }

  test::TempDir const directory_;
  test::Origin origin_;
  std::string const port_ = std::to_string(origin_.port());
  std::string const ci_ = "127.0.0.1:" + std::to_string(test::free_port());
  std::string const lab_ = "127.0.0.1:" + std::to_string(test::free_port());
};

TEST_F(ProxyTenants, EachIsJudgedByItsOwnPolicyAndNamedInItsRecords) {
  test::write_file(directory_ / "tenants.yaml", "version: 1\ntenants:\n  - {name: ci, policy: ci.yaml, listen: ['" + ci_ +
                                                    "']}\n  - {name: lab, policy: lab.yaml, listen: ['" + lab_ + "']}\n");
  RunningProxy proxy(arguments());
  EXPECT_EQ(status(ci_, "ci.example"), "200");
  EXPECT_EQ(status(ci_, "lab.example"), "403");
  EXPECT_EQ(status(lab_, "lab.example"), "200");
  EXPECT_EQ(status(lab_, "ci.example"), "403");
  EXPECT_EQ(status(proxy.address(), "ci.example"), "403") << "who is no tenant gets nothing";
  EXPECT_EQ(origin_.requests(), 2U);
  auto const records = proxy.stop();
  EXPECT_EQ(test::having(records, {{"type", "session.tenant"}, {"tenant", "lab"}, {"policy", "lab"}}).size(), 1U);
  EXPECT_EQ(test::having(records, {{"tenant", "ci"}, {"host", "ci.example"}, {"verdict", "allow"}}).size(), 1U);
  EXPECT_EQ(test::having(records, {{"tenant", "ci"}, {"host", "lab.example"}, {"verdict", "deny"}}).size(), 1U);
  EXPECT_EQ(test::having(records, {{"tenant", "lab"}, {"host", "lab.example"}, {"verdict", "allow"}}).size(), 1U);
  EXPECT_EQ(test::having(records, {{"type", "egress.request"}, {"tenant", ""}, {"verdict", "deny"}}).size(), 1U);
}

TEST_F(ProxyTenants, AClientCannotChooseAPolicyByDiallingAnotherPort) {
  RunningProxy proxy(arguments());
  EXPECT_EQ(status(proxy.address(), "lab.example"), "200") << "known by its address on a listener that is nobody's own";
  EXPECT_EQ(status(lab_, "lab.example"), "200");
  EXPECT_EQ(status(ci_, "ci.example"), "000");
  auto const records = proxy.stop();
  auto const hits = test::having(records, {{"type", "limit.hit"}, {"limit", "client_not_allowed"}});
  ASSERT_EQ(hits.size(), 1U);
  EXPECT_THAT(test::text_at(hits.front(), "detail"), HasSubstr("127.0.0.1 is no client of the tenant"));
  EXPECT_TRUE(test::having(records, {{"tenant", "ci"}, {"type", "egress.request"}}).empty());
}

TEST_F(ProxyTenants, AReloadEndsTheConnectionsOfTheTenantWhosePolicyChanged) {
  test::write_file(directory_ / "tenants.yaml", "version: 1\ntenants:\n  - {name: ci, policy: ci.yaml, listen: ['" + ci_ +
                                                    "']}\n  - {name: lab, policy: lab.yaml, listen: ['" + lab_ + "']}\n");
  RunningProxy proxy(arguments());
  auto drip = [&](std::string const& listener, std::string const& host) {
    return test::Process({.argv = {"curl", "-sSN", "--max-time", "20", "-x", "http://" + listener, "http://" + host + ":" + port_ + "/drip"}});
  };
  auto of_ci = drip(ci_, "ci.example");
  auto of_lab = drip(lab_, "lab.example");
  ASSERT_TRUE(of_ci.wait_for_output("first bytes", 20s));
  ASSERT_TRUE(of_lab.wait_for_output("first bytes", 20s));
  write_policy("ci", "{hosts: [other.example]}");
  EXPECT_TRUE(proxy.process().wait_for_output("policy ci of tenant ci reloaded, 1 connections ended by it", 20s));
  EXPECT_NE(of_ci.wait().exit_code, 0);
  EXPECT_EQ(status(ci_, "ci.example"), "403");
  EXPECT_EQ(status(lab_, "lab.example"), "200");
  write_policy("lab", "{hosts: [");
  EXPECT_TRUE(proxy.process().wait_for_output("policy of tenant lab not reloaded", 20s));
  EXPECT_EQ(status(lab_, "lab.example"), "200");
  auto const records = proxy.stop();
  EXPECT_EQ(test::having(records, {{"type", "policy.reload"}, {"tenant", "ci"}, {"outcome", "applied"}, {"closed", "1"}}).size(), 1U) << test::print(records);
  EXPECT_EQ(test::having(records, {{"type", "policy.reload"}, {"tenant", "lab"}, {"outcome", "rejected"}}).size(), 1U);
}

TEST_F(ProxyTenants, BudgetsAndMetricsAreEachTenantsOwn) {
  test::write_file(directory_ / "tenants.yaml", "version: 1\ntenants:\n  - {name: ci, policy: ci.yaml, listen: ['" + ci_ +
                                                    "']}\n  - {name: twin, policy: ci.yaml, listen: ['" + lab_ + "']}\n");
  auto const metrics = "127.0.0.1:" + std::to_string(test::free_port());
  auto all = arguments();
  all.insert(all.end(), {"--metrics", metrics});
  RunningProxy proxy(all);
  EXPECT_EQ(status(ci_, "ci.example"), "200");
  EXPECT_EQ(status(ci_, "ci.example"), "200");
  EXPECT_EQ(status(ci_, "ci.example"), "403") << "the third in a minute";
  EXPECT_EQ(status(lab_, "ci.example"), "200") << "the same policy, another's budget";
  auto const page = test::run_command({.argv = {"curl", "-sS", "http://" + metrics + "/metrics"}}).out;
  EXPECT_THAT(page, HasSubstr("sallyport_verdicts_total{tenant=\"twin\",leg=\"absolute\",verdict=\"allow\""));
  proxy.stop();
}

TEST_F(ProxyTenants, ASecretThatOneMaySendIsRefusedToTheOther) {
  auto const rule = "{hosts: [ci.example], ports: [" + port_ + "], dlp: ";
  write_policy("ci", rule + "alert}");
  write_policy("lab", rule + "block}");
  test::write_file(directory_ / "tenants.yaml", "version: 1\ntenants:\n  - {name: ci, policy: ci.yaml, listen: ['" + ci_ +
                                                    "']}\n  - {name: lab, policy: lab.yaml, listen: ['" + lab_ + "']}\n");
  RunningProxy proxy(arguments());
  auto const secret = dlp::expand_example("ghp_<b62*30><crc62>", 7).value();
  EXPECT_EQ(status(lab_, "ci.example", "/hello?k=" + secret), "403");
  EXPECT_EQ(status(ci_, "ci.example", "/hello?k=" + secret), "404") << "goes, and the server has no such page";
  auto const records = proxy.stop();
  EXPECT_EQ(test::having(records, {{"type", "dlp.finding"}, {"action", "alert"}}).size(), 1U) << test::print(records);
  for (auto const& record : records) EXPECT_THAT(test::print({record}), testing::Not(HasSubstr(secret))) << "each tenant's paths are scrubbed";
}

TEST_F(ProxyTenants, WhatIsWrongIsSaidWithTheTenant) {
  auto error = [&](std::string const& tenants) {
    test::write_file(directory_ / "tenants.yaml", "version: 1\ntenants:\n  - " + tenants + "\n");
    auto const outcome = test::run_command(test::sallyport({"proxy", "--tenants", (directory_ / "tenants.yaml").string()}));
    EXPECT_EQ(outcome.exit_code, 125);
    return outcome.err;
  };
  EXPECT_THAT(error("{name: ci, policy: nqm, listen: ['127.0.0.1:1']}"), HasSubstr("tenant ci: --policy: there is no preset 'nqm'; did you mean 'npm'?"));
  EXPECT_THAT(error("{name: ci, policy: npm, listen: ['0.0.0.0:39128']}"), HasSubstr("tenant ci: listen 0.0.0.0:39128: other machines can connect"));
  EXPECT_THAT(error("{name: ci, policy: npm, listen: [here]}"), HasSubstr("tenant ci: listen"));
  EXPECT_THAT(error("{name: ci, policy: npm, clients: [10.0.0.0/8]}"), HasSubstr("no listener"));
}

}  // namespace
}  // namespace sallyport::cli
