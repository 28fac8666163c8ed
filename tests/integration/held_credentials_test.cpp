// Credentials behind `sallyport proxy`: its clients hold a placeholder of the operator's choice, the server gets the real value.

#include "tests/support/origin.hpp"
#include "tests/support/running_proxy.hpp"
#include "tests/support/test_ca.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <thread>

namespace sallyport::test {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;
using testing::Not;

constexpr char kPlaceholder[] = "sk-held-by-clients-000001";
constexpr char kValue[] = "real-value-0123456789-xyz";

class HeldCredentials : public testing::Test {
 protected:
  HeldCredentials() {
    write_file(directory_ / "operator.pem", ca_.pem());
    write_key(kValue);
    write_policy("allowed.example");
    proxy_.emplace(arguments());
  }
  void write_key(std::string const& value) const { replace("key", value + "\n"); }
  /// `hosts` get the value.
  void write_policy(std::string const& hosts, std::string const& more = "") const {
    replace("policy.yaml", "version: 1\nname: p\negress:\n  - {hosts: [allowed.example, other.example" + more + "], ports: [443, " + port_ +
                               "]}\ncredentials:\n  - {name: API_KEY, from: {file: " + (directory_ / "key").string() + "}, hosts: [" + hosts +
                               "], header: x-key}\n");
  }
  void replace(std::string const& name, std::string const& text) const {
    write_file(directory_ / "new", text);
    std::filesystem::rename(directory_ / "new", directory_ / name);
  }
  std::vector<std::string> arguments() const {
    std::vector<std::string> all = {"--policy", (directory_ / "policy.yaml").string(), "--placeholder", std::string("API_KEY=") + kPlaceholder,
                                    "--ca-bundle", (directory_ / "operator.pem").string(), "--ca-out", (directory_ / "ca.pem").string()};
    for (std::string const name : {"allowed.example", "other.example"}) {
      all.insert(all.end(), {"--resolve", name + ":" + port_ + ":127.0.0.1"});
    }
    return all;
  }
  Outcome ask(std::string const& host, std::string const& path, std::vector<std::string> options = {}) const {
    options.insert(options.end(), {"-H", std::string("X-Key: ") + kPlaceholder, "--cacert", (directory_ / "ca.pem").string(),
                                   "https://" + host + ":" + port_ + path});
    return run_command(proxy_->curl(options));
  }

  TempDir const directory_;
  TestCa ca_;
  Origin origin_{ca_, {"allowed.example", "other.example"}};
  std::string const port_ = std::to_string(origin_.port());
  std::optional<RunningProxy> proxy_;
};

TEST_F(HeldCredentials, ServerGetsTheValueAndTheClientNeverSeesIt) {
  auto const got = ask("allowed.example", "/digest/x-key");
  EXPECT_EQ(got.out, sha256_hex(kValue)) << got.err;
  auto const echo = ask("allowed.example", "/echo");
  EXPECT_THAT(echo.out, HasSubstr(kPlaceholder));
  EXPECT_THAT(echo.out, Not(HasSubstr(kValue)));
  auto const records = proxy_->stop();
  EXPECT_EQ(having(records, {{"type", "credential.use"}, {"name", "API_KEY"}}).size(), 2u) << print(records);
  EXPECT_THAT(print(records), Not(HasSubstr(kValue)));
}

TEST_F(HeldCredentials, PlaceholderAndValueAreRefusedElsewhere) {
  EXPECT_THAT(ask("other.example", "/hello").out, HasSubstr("credential_misuse"));
  auto const value = run_command(proxy_->curl({"-H", std::string("X-Key: ") + kValue, "--cacert", (directory_ / "ca.pem").string(),
                                               "https://allowed.example:" + port_ + "/hello"}));
  EXPECT_THAT(value.out, HasSubstr("credential_misuse")) << value.err;
  EXPECT_EQ(having(proxy_->stop(), {{"type", "egress.request"}, {"reason", "credential_misuse"}}).size(), 2u);
}

TEST_F(HeldCredentials, FileThatChangesIsReadAgain) {
  write_key("second-value-9876543210");
  std::string now;
  for (auto const end = std::chrono::steady_clock::now() + 20s; now != sha256_hex("second-value-9876543210") && std::chrono::steady_clock::now() < end;)
    now = ask("allowed.example", "/digest/x-key").out;
  EXPECT_EQ(now, sha256_hex("second-value-9876543210"));
}

TEST_F(HeldCredentials, PolicyThatSendsItElsewhereIsNotTakenOnWhileItRuns) {
  write_policy("other.example");
  ASSERT_TRUE(proxy_->process().wait_for_output("credential API_KEY is settled when the session starts", 20s));
  EXPECT_EQ(ask("allowed.example", "/digest/x-key").out, sha256_hex(kValue));
  write_policy("allowed.example", ", third.example");
  ASSERT_TRUE(proxy_->process().wait_for_output("policy p reloaded", 20s));
  EXPECT_EQ(ask("allowed.example", "/digest/x-key").out, sha256_hex(kValue));
}

TEST_F(HeldCredentials, ClientsOfTenantsHaveNone) {
  std::ofstream(directory_ / "tenants.yaml") << "version: 1\ntenants:\n  - {name: t, policy: policy.yaml, listen: ['127.0.0.1:" << free_port() << "']}\n";
  auto all = arguments();
  all.insert(all.end(), {"--tenants", (directory_ / "tenants.yaml").string()});
  all.insert(all.begin(), "proxy");
  auto const outcome = run_command(sallyport(all));
  EXPECT_EQ(outcome.exit_code, 125);
  EXPECT_THAT(outcome.err, HasSubstr("credential API_KEY: only sallyport run can hand out placeholders"));
}

}  // namespace
}  // namespace sallyport::test
