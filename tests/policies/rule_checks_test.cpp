#include "policies/rule_checks.hpp"

#include "tests/policies/load_text.hpp"

#include <gtest/gtest.h>

namespace sallyport::policies {
namespace {

Problems host_problems(std::string_view pattern, Rule rule, PublicSuffix public_suffix = PublicSuffix::refused) {
  Problems problems;
  check_hosts(rule, {{HostPattern::parse(pattern).value(), {}}}, public_suffix, problems);
  return problems;
}

ResolveRule listing(std::string_view block) { return {ResolveClass::cidrs, {Cidr::parse(block).value()}}; }

bool admitted(ResolveRule const& resolve, std::string_view address) {
  return admits(resolve, IpAddress::parse(address).value());
}

TEST(CheckHosts, WildcardsBelowAPublicSuffixNeedConsent) {
  for (auto pattern : {"*.com", "*.co.uk", "*.github.io", "**.com"}) {
    EXPECT_EQ(host_problems(pattern, Rule{}).size(), 1u) << pattern;
    EXPECT_TRUE(host_problems(pattern, Rule{}, PublicSuffix::accepted).empty()) << pattern;
  }
  EXPECT_TRUE(host_problems("*.example.com", Rule{}).empty());
  Rule deny;
  deny.action = Action::deny;
  EXPECT_TRUE(host_problems("*.com", deny).empty()) << "denying more is no risk";
}

TEST(CheckHosts, AnAddressMustBeOneTheRuleAdmits) {
  EXPECT_TRUE(host_problems("8.8.8.8", Rule{}).empty());
  EXPECT_EQ(host_problems("10.0.0.1", Rule{}).size(), 1u);
  EXPECT_EQ(host_problems("127.0.0.1", Rule{}).size(), 1u);
  EXPECT_EQ(host_problems("169.254.169.254", Rule{}).size(), 1u);
  Rule rule;
  rule.resolve = listing("10.0.0.1");
  EXPECT_TRUE(host_problems("10.0.0.1", rule).empty());
  EXPECT_EQ(host_problems("10.0.0.2", rule).size(), 1u);
}

TEST(CheckInspection, BodiesCannotBeCountedInClosedConnections) {
  Rule rule;
  rule.inspect = Inspect::sni;
  rule.ports = {443};
  rule.action = Action::allow;
  Problems problems;
  rule.limits.connections = 5;
  check_inspection(rule, {"p", 1, 2}, problems);
  EXPECT_TRUE(problems.empty());
  rule.limits.upload = 5;
  check_inspection(rule, {"p", 1, 2}, problems);
  ASSERT_EQ(problems.size(), 1u);
  EXPECT_EQ(to_string(problems[0]),
            "p:1:2: limits of request bodies cannot be enforced under inspect: sni, which leaves the connection closed; remove them, or "
            "write inspect: full");
}

TEST(CheckKeysTogether, ADenyRuleHasNothingToCount) {
  Rule rule;
  rule.action = Action::deny;
  rule.limits.connections = 5;
  Problems problems;
  check_keys_together(rule, {}, problems);
  EXPECT_EQ(problems.size(), 1u);
}

TEST(OpensTls, IfSomeRuleWantsToSeeRequestsInside) {
  EXPECT_FALSE(opens_tls(Policy{}));
  EXPECT_TRUE(opens_tls(*policy_of({"{hosts: [a.example]}"})));
  EXPECT_TRUE(opens_tls(*policy_of({"{hosts: [a.example], inspect: sni}", "{hosts: [b.example], methods: [PUT], action: deny}"})));
  for (auto rule : {"{hosts: [a.example], inspect: sni}", "{hosts: [a.example], inspect: raw}", "{hosts: [a.example], ports: [80]}",
                    "{hosts: [a.example], action: deny}", "{hosts: [a.example], ports: [80], methods: [GET]}"})
    EXPECT_FALSE(opens_tls(*policy_of({rule}))) << rule;
}

TEST(Admits, PublicIsPublicOnly) {
  ResolveRule const resolve;
  EXPECT_TRUE(admitted(resolve, "93.184.216.34"));
  for (auto address : {"10.0.0.1", "127.0.0.1", "169.254.169.254", "100.64.0.1", "fd00::1", "fe80::1", "::", "224.0.0.1",
                       "::ffff:10.0.0.1", "64:ff9b::a00:1", "198.18.0.1", "255.255.255.255"}) {
    EXPECT_FALSE(admitted(resolve, address)) << address;
  }
}

TEST(Admits, PrivateIsRfc1918UlaAndCgnatOnly) {
  ResolveRule const resolve{ResolveClass::private_, {}};
  for (auto address : {"10.0.0.1", "172.16.0.1", "192.168.0.1", "100.64.0.1", "fd00::1"})
    EXPECT_TRUE(admitted(resolve, address)) << address;
  for (auto address :
       {"8.8.8.8", "127.0.0.1", "169.254.0.1", "169.254.169.254", "100.100.100.200", "fd00:ec2::254", "fe80::1"}) {
    EXPECT_FALSE(admitted(resolve, address)) << address;
  }
}

TEST(Admits, ABlockIsExactlyItself) {
  EXPECT_TRUE(admitted(listing("10.1.0.0/16"), "10.1.255.255"));
  EXPECT_FALSE(admitted(listing("10.1.0.0/16"), "10.2.0.0"));
  EXPECT_FALSE(admitted(listing("10.1.0.0/16"), "8.8.8.8"));
  EXPECT_TRUE(admitted(listing("127.0.0.0/8"), "127.0.0.1"));
  EXPECT_TRUE(admitted(listing("fe80::/10"), "fe80::1"));
}

TEST(Admits, AMetadataAddressOnlyByItself) {
  EXPECT_FALSE(admitted(listing("169.254.0.0/16"), "169.254.169.254"));
  EXPECT_FALSE(admitted(listing("0.0.0.0/0"), "169.254.169.254"));
  EXPECT_TRUE(admitted(listing("169.254.169.254/32"), "169.254.169.254"));
}

}  // namespace
}  // namespace sallyport::policies
