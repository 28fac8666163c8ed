#include "cli/spelt_out_names.hpp"

#include <gtest/gtest.h>

namespace sallyport::cli {
namespace {

using Names = std::vector<std::string>;

policies::Policy policy_for(Names hosts, policies::Action action = policies::Action::allow) {
  auto rule = std::make_shared<policies::Rule>();
  rule->hosts = std::move(hosts);
  rule->action = action;
  policies::Policy policy;
  policy.rules = {rule};
  return policy;
}

TEST(SpeltOutNames, PatternsAndAddressesAndPinsAreNone) {
  auto const policy = policy_for({"a.example", "*.b.example", "**.c.example", "192.0.2.1", "2001:db8::1", "pinned.example", "a.example", "d.example"});
  auto const pin = policies::parse_pin("pinned.example:443:192.0.2.7").value();
  EXPECT_EQ(spelt_out_names(policy, {pin}), (Names{"a.example", "d.example"}));
}

TEST(SpeltOutNames, WhatIsDeniedIsNotLookedUp) {
  EXPECT_EQ(spelt_out_names(policy_for({"a.example"}, policies::Action::deny), {}), Names{});
}

TEST(SpeltOutNames, TheLineNamesTheFirstFew) {
  EXPECT_EQ(unresolved_line({"a.example"}, 50), "1 of 50 names that the policy allows do not resolve now: a.example (each request asks again)");
  EXPECT_EQ(unresolved_line({"a", "b", "c", "d", "e", "f"}, 6),
            "6 of 6 names that the policy allows do not resolve now: a, b, c, d, e, … (each request asks again)");
}

}  // namespace
}  // namespace sallyport::cli
