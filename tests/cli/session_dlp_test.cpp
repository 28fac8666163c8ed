#include "cli/session_dlp.hpp"

#include "tests/support/temp_dir.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

namespace sallyport::cli {
namespace {

bool knows(Result<proxy::DlpOptions> const& options, std::string_view value) {
  if (!options || !options->known) return false;
  std::vector<dlp::KnownHit> hits;
  options->known->find(value, hits);
  return !hits.empty();
}

TEST(SessionDlp, KnowsTheValuesThatThePolicyAsksFor) {
  test::TempDir const workspace;
  std::ofstream(workspace.path() / ".env") << "A_TOKEN=value-of-dotenv-1\n";
  std::map<std::string, std::string> const environment{{"B_TOKEN", "value-of-environment-2"}};
  auto const known = [&](std::vector<policies::KnownSource> sources) {
    policies::Policy policy;
    policy.dlp.known_values = std::move(sources);
    auto const options = prepare_dlp(policy, environment, workspace.path());
    return std::pair(knows(options, "value-of-environment-2"), knows(options, "value-of-dotenv-1"));
  };
  using policies::KnownSource;
  EXPECT_EQ(known({KnownSource::env, KnownSource::dotenv}), std::pair(true, true));
  EXPECT_EQ(known({KnownSource::env}), std::pair(true, false));
  EXPECT_EQ(known({KnownSource::dotenv}), std::pair(false, true));
  EXPECT_EQ(known({}), std::pair(false, false));
}

TEST(SessionDlp, WhatThePolicyPassesIsKnownAsPassed) {
  policies::Policy policy;
  policy.environment.pass = {"A_TOKEN"};
  auto const options = prepare_dlp(policy, {{"A_TOKEN", "value-that-is-passed"}, {"B_TOKEN", "value-that-is-not"}}, {});
  ASSERT_TRUE(options && options->known);
  EXPECT_TRUE(options->known->holds(dlp::KnownKind::passed));
  EXPECT_TRUE(options->known->holds(dlp::KnownKind::secret));
  EXPECT_TRUE(knows(options, "value-that-is-passed"));
}

TEST(SessionDlp, SaltIsTheUsersOwnInEverySession) {
  auto const one = prepare_dlp({}, {}, {}), other = prepare_dlp({}, {}, {});
  ASSERT_TRUE(one && other);
  EXPECT_GE(one->salt.size(), 16U);
  EXPECT_EQ(one->salt, other->salt);
}

TEST(SessionDlp, UnknownDetectorIsAnError) {
  policies::Policy policy;
  policy.dlp.disabled = {{"nonsense", {"p.yaml", 2, 3}}};
  auto const options = prepare_dlp(policy, {}, {});
  ASSERT_FALSE(options);
  EXPECT_THAT(options.error().what, testing::StartsWith("p.yaml:2:3: "));
}

}  // namespace
}  // namespace sallyport::cli
