#include "proxy/egress_record.hpp"

#include "policies/engine.hpp"
#include "tests/proxy/fake_audit.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace sallyport::proxy {
namespace {

using policies::CanonicalHost;
using policies::IpAddress;

policies::Engine engine(std::shared_ptr<policies::UpstreamRoute const> route = nullptr) {
  auto rule = std::make_shared<policies::Rule>();
  rule->name = "only";
  rule->hosts = {"a.example"};
  rule->ports = {443};
  rule->inspect = policies::Inspect::sni;
  rule->action = policies::Action::allow;
  auto policy = std::make_shared<policies::Policy>();
  policy->network = policies::Network::restricted;
  policy->rules = {rule};
  return policies::Engine(policy, {}, std::move(route));
}

TEST(EgressRecord, NewRecordKnowsWhoAskedAndHasNoVerdict) {
  asio::io_context io;
  tests::FakeAudit audit(io);
  Client const client{Stream(Socket(io)), {"tcp", "10.0.0.2", 40000, "198.18.0.1", 443}};
  auto const first = new_record(client, audit::Leg::socks5, audit);
  auto const second = new_record(client, audit::Leg::socks5, audit);
  EXPECT_NE(first.id, second.id);
  EXPECT_EQ(first.leg, audit::Leg::socks5);
  EXPECT_EQ(first.flow, client.flow);
  EXPECT_EQ(first.verdict, "");
}

TEST(EgressRecord, RequestFillsInWhatWasAsked) {
  audit::EgressRequest record;
  set_request(record, {CanonicalHost::from("a.example").value(), 80, policies::Scheme::http, "GET",
                       policies::CanonicalPath::from("/ok/x").value()});
  EXPECT_EQ(record.host, "a.example");
  EXPECT_EQ(record.port, 80);
  EXPECT_EQ(record.method, "GET");
  EXPECT_EQ(record.path, "/ok/x");
  audit::EgressRequest tunnel;
  set_request(tunnel, {CanonicalHost::from("a.example").value(), 443, policies::Scheme::tls, {}, {}});
  EXPECT_EQ(tunnel.path, "");
}

TEST(EgressRecord, AllowedNamesItsRuleAndTheAdmittedAddresses) {
  auto const deciding = engine();
  auto const target =
      deciding.decide({CanonicalHost::from("a.example").value(), 443, policies::Scheme::tls, {}, {}}).value();
  std::vector<IpAddress> const found{IpAddress::parse("8.8.8.8").value(), IpAddress::parse("127.0.0.1").value(),
                                     IpAddress::parse("2606:4700::1").value()};
  auto const endpoints = deciding.admit(target, found).value();
  auto const record = allowed({}, target.verdict(), endpoints);
  EXPECT_EQ(record.verdict, "allow");
  EXPECT_EQ(record.rule, "only");
  EXPECT_EQ(record.reason, policies::reason::kAllowed);
  EXPECT_EQ(record.addresses, (std::vector<std::string>{"8.8.8.8", "2606:4700::1"}));
  EXPECT_EQ(record.status, 0);
}

TEST(EgressRecord, AllowedNamesTheUpstreamProxyWithoutItsPasswordAndWhoLooksTheNameUp) {
  auto const route = std::make_shared<policies::UpstreamRoute const>(
      policies::UpstreamRoute{policies::parse_upstream_proxy("http://me:hunter2@proxy.example:3128").value(), {}});
  auto const deciding = engine(route);
  auto const target = deciding.decide({CanonicalHost::from("a.example").value(), 443, policies::Scheme::tls, {}, {}}).value();
  std::vector const by_name{deciding.unresolved(target).value()};
  auto const record = allowed({}, target.verdict(), by_name);
  EXPECT_EQ(record.via, "http://proxy.example:3128");
  EXPECT_EQ(record.resolved_by, "upstream");
  EXPECT_TRUE(record.addresses.empty());
  std::vector<IpAddress> const found{IpAddress::parse("8.8.8.8").value()};
  EXPECT_EQ(allowed({}, target.verdict(), deciding.admit(target, found).value()).resolved_by, "");
}

TEST(EgressRecord, DeniedSaysWhyAndWithWhichStatus) {
  auto const record = denied({}, refusal(504, policies::reason::kTimeout, "no answer"));
  EXPECT_EQ(record.verdict, "deny");
  EXPECT_EQ(record.rule, "default");
  EXPECT_EQ(record.reason, policies::reason::kTimeout);
  EXPECT_EQ(record.detail, "no answer");
  EXPECT_EQ(record.status, 504);
  EXPECT_TRUE(record.addresses.empty());
}

}  // namespace
}  // namespace sallyport::proxy
