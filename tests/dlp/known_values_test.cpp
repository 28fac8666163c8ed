#include "dlp/known_values.hpp"

#include "codings.hpp"
#include "detector_cases.hpp"

#include <gtest/gtest.h>

namespace sallyport::dlp {
namespace {

constexpr std::string_view kLong = "correct-horse-battery-staple-2026";
constexpr std::string_view kShort = "hunter2-xyz";

Scanner::Setup const& setup() {
  static Scanner::Setup const made{RuleSet::builtin(),
                                   std::make_shared<KnownValues const>(
                                       std::vector<KnownValue>{{"DB_PASSWORD", std::string(kLong)},
                                                               {"PIN", std::string(kShort)},
                                                               {"DECOY", "decoy-value-planted-here-77", KnownKind::canary},
                                                               {"FLAG", "true"},
                                                               {"PAD", "xxxxxxxxxx"}},
                                       "salt"),
                                   "salt"};
  return made;
}

bool finds(std::string const& text, std::string_view detector = "known-value") {
  return test::finding_of(detector, text, setup()).has_value();
}

TEST(KnownValues, FindsAValueInEveryCoding) {
  for (auto const& coding : test::all_codings()) {
    EXPECT_TRUE(finds("before " + coding.encode(kLong) + " behind")) << coding.name;
  }
}

TEST(KnownValues, FindsEveryPieceOfSixteenBytes) {
  for (std::size_t at = 0; at + 16 <= kLong.size(); ++at)
    EXPECT_TRUE(finds("(" + std::string(kLong.substr(at, 16)) + ")")) << at;
  for (std::size_t at = 0; at + 15 <= kLong.size(); ++at)
    EXPECT_FALSE(finds("(" + std::string(kLong.substr(at, 15)) + ")")) << at;
}

TEST(KnownValues, FindsEveryPieceAtEveryPlace) {
  KnownValues const known({{"A", std::string(kLong)}}, "salt");
  for (std::size_t before = 0; before < 20; ++before) {
    for (std::size_t from = 0; from + 16 <= kLong.size(); ++from) {
      std::vector<KnownHit> hits;
      known.find(std::string(before, '.') + std::string(kLong.substr(from, 16)), hits);
      ASSERT_EQ(1u, hits.size()) << before << " " << from;
      EXPECT_EQ(before, hits[0].begin);
      hits.clear();
      auto const whole = std::string(before, '.') + std::string(kLong);
      known.find(whole + whole + std::string(kLong), hits);
      EXPECT_EQ(3u, hits.size()) << before;
    }
  }
}

TEST(KnownValues, OneMoreIsFoundBesideThoseOfBefore) {
  KnownValues const known({{"A", std::string(kLong)}}, "salt");
  auto const more = known.with({"B", "another-value-987654", KnownKind::credential});
  auto const hits = [](KnownValues const& in, std::string_view text) {
    std::vector<KnownHit> found;
    in.find(text, found);
    return found;
  };
  EXPECT_FALSE(hits(more, kLong).empty());
  ASSERT_FALSE(hits(more, "another-value-987654").empty());
  EXPECT_EQ(more.name(hits(more, "another-value-987654").front().value), "B");
  EXPECT_TRUE(more.holds(KnownKind::credential));
  EXPECT_TRUE(hits(known, "another-value-987654").empty());
}

TEST(KnownValues, FindsAShortValueWholeOnly) {
  EXPECT_TRUE(finds("pw=" + std::string(kShort)));
  EXPECT_FALSE(finds("pw=" + std::string(kShort.substr(1))));
}

TEST(KnownValues, FindsWhatAHostNameMakesOfAValue) {
  KnownValues const known({{"MIXED", "Correct-Horse-Battery-7"}}, "salt");
  std::vector<KnownHit> hits;
  known.find("correct-horse-battery-7.example.com", hits);
  EXPECT_EQ(1u, hits.size());
}

TEST(KnownValues, CanaryIsAFindingOfItsOwn) { EXPECT_TRUE(finds("x decoy-value-planted-here-77", "canary")); }

TEST(KnownValues, ShortAndPlainValuesAreLeftOutAndNamed) {
  EXPECT_EQ((std::vector<std::string>{"FLAG", "PAD"}), setup().known->skipped());
  EXPECT_FALSE(finds("true xxxxxxxxxxxxxx"));
}

TEST(KnownValues, WholeValueHasTheSameDigestWhereverItStands) {
  auto a = test::finding_of("known-value", std::string(kLong), setup());
  auto b = test::finding_of("known-value", "long text before " + std::string(kLong) + " and behind", setup());
  ASSERT_TRUE(a && b);
  EXPECT_EQ(a->digest, b->digest);
  EXPECT_EQ(17u, b->offset);
  EXPECT_EQ(kLong.size(), b->length);
}

}  // namespace
}  // namespace sallyport::dlp
