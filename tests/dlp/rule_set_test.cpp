#include "dlp/rule_set.hpp"

#include "dlp/example.hpp"

#include <gtest/gtest.h>

#include <set>

namespace sallyport::dlp {
namespace {

TEST(RuleSet, ShipsEightyKindsOrMoreWithIdsOfTheirOwn) {
  std::set<std::string_view> ids;
  for (auto const& detector : builtin_detectors()) EXPECT_TRUE(ids.insert(detector.id).second) << detector.id;
  EXPECT_GE(ids.size(), 80u);
}

TEST(RuleSet, EveryDetectorIsComplete) {
  auto rules = RuleSet::builtin();
  for (std::size_t i = 0; i < rules->detectors().size(); ++i) {
    auto const& detector = rules->detectors()[i];
    SCOPED_TRACE(std::string(detector.id));
    EXPECT_EQ("", rules->pattern(i).error());
    EXPECT_FALSE(detector.title.empty());
    EXPECT_TRUE(!detector.literals[0].empty() || detector.word.max > 0 || detector.check == Check::seed_phrase);
    EXPECT_TRUE(expand_example(detector.example, 1));
    EXPECT_TRUE(expand_example(detector.near_miss, 1));
    for (auto literal : detector.literals) EXPECT_TRUE(literal.empty() || literal.size() >= 3) << literal;
  }
}

TEST(RuleSet, DisabledDetectorsAreGoneAndUnknownIdsAreErrors) {
  auto rules = RuleSet::build({{"github-pat"}, {}});
  ASSERT_TRUE(rules);
  for (auto const& detector : (*rules)->detectors()) EXPECT_NE("github-pat", detector.id);
  EXPECT_FALSE(RuleSet::build({{"no-such-detector"}, {}}));
}

TEST(RuleSet, ImportedPatternThatDoesNotCompileIsAnError) {
  ImportedDetectors import;
  import.detectors.push_back(
      {.id = "mine", .title = "mine", .literals = {"abc"}, .pattern = "abc(", .example = "abc", .near_miss = "abd"});
  EXPECT_FALSE(RuleSet::build({{}, {import}}));
}

TEST(LazyPattern, MatchesAtTheStartOnlyAndReportsTheGroup) {
  LazyPattern pattern("key=([a-z]+)");
  EXPECT_FALSE(pattern.match_at_start(" key=abc"));
  auto match = pattern.match_at_start("key=abc;");
  ASSERT_TRUE(match);
  EXPECT_EQ((Span{0, 7}), match->whole);
  EXPECT_EQ((Span{4, 7}), match->secret);
}

TEST(LazyPattern, SeesBytesAndNotCharacters) {
  EXPECT_TRUE(
      LazyPattern("a.b").match_at_start("a\xff"
                                        "b"));
}

}  // namespace
}  // namespace sallyport::dlp
