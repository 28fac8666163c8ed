#include "policies/hint.hpp"

#include "tests/policies/load_text.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <set>

namespace sallyport::policies {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

Request request(std::string_view host, std::uint16_t port) {
  return {host_of(host), port, Scheme::http, "PUT", std::nullopt};
}

TEST(HintFor, TellsAnAgentNotToRetryAndWhatCouldBeAllowed) {
  Rule rule;
  rule.name = "r";
  auto const to = request("a.example", 443);
  EXPECT_THAT(hint_for(reason::kNoRule, to, nullptr), AllOf(StartsWith("Do not retry"), HasSubstr("`--allow a.example`")));
  EXPECT_THAT(hint_for(reason::kNoRule, request("a.example", 80), nullptr), HasSubstr("`--allow a.example:80`"));
  EXPECT_THAT(hint_for(reason::kNetworkNone, to, nullptr), AllOf(StartsWith("Do not retry"), HasSubstr("no network")));
  EXPECT_THAT(hint_for(reason::kIpLiteral, request("::1", 443), nullptr),
              AllOf(StartsWith("Do not retry"), HasSubstr("[::1]")));
  EXPECT_THAT(hint_for(reason::kRuleDenies, to, &rule),
              AllOf(StartsWith("Do not retry"), HasSubstr("rule r"), Not(HasSubstr("--allow"))));
  EXPECT_THAT(hint_for(reason::kNeedsApproval, to, &rule), AllOf(StartsWith("Do not retry"), HasSubstr("rule r")));
  EXPECT_THAT(hint_for(reason::kPort, request("a.example", 22), &rule),
              AllOf(StartsWith("Do not retry"), HasSubstr("port 22")));
  EXPECT_THAT(hint_for(reason::kMethod, to, &rule), AllOf(StartsWith("Do not retry"), HasSubstr("'PUT'")));
  EXPECT_THAT(hint_for(reason::kPath, to, &rule), AllOf(StartsWith("Do not retry"), HasSubstr("this path")));
  EXPECT_THAT(hint_for(reason::kInspection, to, &rule), AllOf(StartsWith("Do not retry"), HasSubstr("inspect: sni")));
}

TEST(HintFor, SaysWhatTheRuleHasToSay) {
  Rule rule;
  rule.name = "r";
  rule.hint = "Packages are only fetched here";
  EXPECT_EQ(hint_for(reason::kMethod, request("a.example", 443), &rule),
            "Do not retry: Packages are only fetched here. rule r would have to list method 'PUT'.");
  rule.hint = "";
  EXPECT_THAT(hint_for(reason::kGitWrite, request("a.example", 443), &rule), HasSubstr("git may fetch from a.example here, and not push"));
}

TEST(HintFor, EveryReasonOfARuleHasItsOwnWords) {
  Rule rule;
  rule.name = "r";
  std::set<std::string> hints;
  for (auto reason : {reason::kPort, reason::kProcess, reason::kMethod, reason::kPath, reason::kQuery, reason::kHeader, reason::kGitRepo,
                      reason::kGitWrite, reason::kInspection, reason::kRuleDenies, reason::kNeedsApproval}) {
    EXPECT_TRUE(hints.insert(hint_for(reason, request("a.example", 443), &rule)).second) << reason;
  }
}

TEST(AddressHint, NamesAddressClassAndWhatToWrite) {
  Rule rule;
  rule.name = "r";
  EXPECT_EQ(address_hint(host_of("a.example"), address_of("10.0.0.1"), rule),
            "Do not retry: a.example leads to the private address 10.0.0.1; rule r would have to say resolve: [10.0.0.1].");
}

}  // namespace
}  // namespace sallyport::policies
