#include "cli/policy_tests.hpp"

#include "tests/policies/load_text.hpp"

#include <gtest/gtest.h>

namespace sallyport::cli {
namespace {

std::vector<TestOutcome> outcomes(std::string const& tests) {
  policies::Engine const engine(policies::load_text(
      "version: 1\negress:\n  - {name: r, hosts: [a.example], headers: {accept: text/html}}\n" + tests));
  return run_tests(engine);
}

TEST(RunTests, HeadersOfATestReachTheRule) {
  auto const found = outcomes(
      "tests:\n  - {request: GET https://a.example/, headers: {Accept: text/html}, expect: allow}\n"
      "  - {request: GET https://a.example/, expect: deny, reason: header_not_allowed}\n");
  ASSERT_EQ(found.size(), 2u);
  for (auto const& outcome : found) EXPECT_TRUE(outcome.passed()) << outcome.difference;
}

TEST(RunTests, SaysWhatDiffers) {
  auto const found = outcomes(
      "tests:\n  - {request: GET https://a.example/, expect: deny, reason: no_rule}\n"
      "  - {request: GET https://a.example/../x, expect: deny}\n");
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].difference, "expected reason no_rule, got header_not_allowed");
  EXPECT_NE(found[1].difference.find("dot segment"), std::string::npos) << found[1].difference;
  EXPECT_EQ(outcome_json(found[0]).at("ok"), boost::json::value(false));
  EXPECT_EQ(outcome_json(found[0]).at("line"), 5);
}

TEST(TestProblems, AreThoseOfTheUrls) {
  auto const policy = policies::load_text("version: 1\ntests:\n  - {request: GET nonsense, expect: deny}\n");
  auto const problems = test_problems(*policy);
  ASSERT_EQ(problems.size(), 1u);
  EXPECT_EQ(problems[0].place.line, 3);
}

}  // namespace
}  // namespace sallyport::cli
