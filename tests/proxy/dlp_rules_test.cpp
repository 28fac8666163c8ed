#include "proxy/dlp_rules.hpp"

#include <gtest/gtest.h>

namespace sallyport::proxy {
namespace {

using dlp::Action;
using dlp::Place;
using policies::DlpAction;

dlp::Finding finding(std::string detector, std::vector<dlp::Coding> codings = {}) {
  dlp::Finding made{.detector = std::move(detector)};
  made.length = 40;
  made.codings = std::move(codings);
  return made;
}

policies::CanonicalHost host(std::string_view name) { return policies::CanonicalHost::from(name).value(); }

Action act(DlpAction wanted, dlp::Finding const& found, FoundAt where = {}) {
  return DlpRules({}, "2027-01-01").act_on(found, where, host("a.example.com"), wanted);
}

TEST(DlpRules, ActionOfTheRuleIsTheMostThatHappens) {
  EXPECT_EQ(act(DlpAction::block, finding("jwt")), Action::block);
  EXPECT_EQ(act(DlpAction::alert, finding("jwt")), Action::alert);
  EXPECT_EQ(act(DlpAction::off, finding("jwt")), Action::allow);
  auto guess = finding("jwt");
  guess.certainty = dlp::Certainty::guess;
  EXPECT_EQ(act(DlpAction::block, guess), Action::alert);
}

TEST(DlpRules, RedactsWhatStandsPlainInAValueAndBlocksTheRest) {
  EXPECT_EQ(act(DlpAction::redact, finding("jwt")), Action::redact);
  EXPECT_EQ(act(DlpAction::redact, finding("jwt", {dlp::Coding::base64})), Action::block);
  EXPECT_EQ(act(DlpAction::redact, finding("jwt"), {Place::header, Spread::whole}), Action::redact);
  EXPECT_EQ(act(DlpAction::redact, finding("jwt"), {Place::header, Spread::fixed}), Action::block);
  EXPECT_EQ(act(DlpAction::redact, finding("jwt"), {Place::dns, Spread::whole}), Action::block);
  EXPECT_EQ(act(DlpAction::redact, finding("jwt"), {Place::body, Spread::in_pieces}), Action::block);
}

TEST(DlpRules, ExceptionIsForItsHostItsDetectorAndItsTime) {
  policies::DlpPolicy policy;
  policy.allow = {{"*.example.com", "jwt", "2027-01-01", {}}, {"b.example.net", "canary", "", {}}};
  DlpRules const on_its_last_day(policy, "2027-01-01"), the_day_after(policy, "2027-01-02");
  auto const act_at = [](DlpRules const& rules, std::string_view name, std::string detector) {
    return rules.act_on(finding(std::move(detector)), {}, host(name), DlpAction::block);
  };
  EXPECT_EQ(act_at(on_its_last_day, "a.example.com", "jwt"), Action::allow);
  EXPECT_EQ(act_at(on_its_last_day, "example.com", "jwt"), Action::block);
  EXPECT_EQ(act_at(on_its_last_day, "a.example.com", "npm-token"), Action::block);
  EXPECT_EQ(act_at(the_day_after, "a.example.com", "jwt"), Action::block);
  EXPECT_EQ(act_at(the_day_after, "b.example.net", "canary"), Action::block) << "nothing excuses a canary";
}

TEST(DlpRules, ExceptionWithADigestIsForOneValue) {
  auto one = finding("jwt"), other = finding("jwt");
  one.digest = dlp::value_digest("salt", "one");
  other.digest = dlp::value_digest("salt", "other");
  policies::DlpPolicy policy;
  policy.allow = {{"a.example.com", "jwt", "", {}, dlp::to_hex(one.digest)}};
  DlpRules const rules(policy, "2027-01-01");
  EXPECT_EQ(rules.act_on(one, {}, host("a.example.com"), DlpAction::block), Action::allow);
  EXPECT_EQ(rules.act_on(other, {}, host("a.example.com"), DlpAction::block), Action::block);
}

TEST(DlpRules, PlaceholderHasTheLengthOfTheSecret) {
  EXPECT_EQ(placeholder("jwt", 20), "REDACTED-jwt--------");
  EXPECT_EQ(placeholder("jwt", 4), "REDA");
  EXPECT_EQ(placeholder("jwt", 0), "");
}

}  // namespace
}  // namespace sallyport::proxy
