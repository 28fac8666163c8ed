#include "cli/canaries.hpp"

#include "cli/session_dlp.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace sallyport::cli {
namespace {

using policies::CanaryPlace;
using testing::HasSubstr;

policies::Policy policy_with(std::vector<CanaryPlace> places) {
  policies::Policy policy;
  policy.dlp.canaries = std::move(places);
  policy.dlp.known_values = {};
  return policy;
}

TEST(Canaries, AreWhereThePolicyWantsThem) {
  auto const none = make_canaries(policy_with({})).value();
  EXPECT_TRUE(none.environment.empty() && none.files.empty() && none.values.empty());
  EXPECT_TRUE(make_canaries(policy_with({CanaryPlace::env}))->files.empty());
  EXPECT_TRUE(make_canaries(policy_with({CanaryPlace::files}))->environment.empty());
  auto const both = make_canaries(policy_with({CanaryPlace::env, CanaryPlace::files})).value();
  EXPECT_EQ(both.environment.size(), 2U);
  EXPECT_EQ(both.files.size(), 2U);
  EXPECT_EQ(both.values.size(), 5U);
}

TEST(Canaries, EveryPlantedValueIsKnownAndAnotherInEachSession) {
  auto const policy = policy_with({CanaryPlace::env, CanaryPlace::files});
  auto const canaries = make_canaries(policy).value(), other = make_canaries(policy).value();
  auto const options = prepare_dlp(policy, {}, {}, {}, canaries.values).value();
  for (auto const* planted : {&canaries.environment, &canaries.files}) {
    for (auto const& [name, text] : *planted) {
      std::vector<dlp::KnownHit> hits;
      options.known->find(text, hits);
      ASSERT_FALSE(hits.empty()) << name;
      EXPECT_EQ(options.known->kind(hits.front().value), dlp::KnownKind::canary) << name;
      EXPECT_THAT(name, HasSubstr(planted == &canaries.files ? options.known->name(hits.front().value).substr(2)
                                                             : options.known->name(hits.front().value)));
    }
  }
  for (std::size_t i = 0; i < canaries.values.size(); ++i) EXPECT_NE(canaries.values[i].value, other.values[i].value);
}

TEST(Canaries, WhatThePolicyGivesTheJailStays) {
  auto policy = policy_with({CanaryPlace::env});
  policy.environment.pass = {"DEPLOY_API_TOKEN"};
  policy.environment.set = {{"BACKUP_DB_PASSWORD", "real"}};
  EXPECT_TRUE(make_canaries(policy)->environment.empty());
}

}  // namespace
}  // namespace sallyport::cli
