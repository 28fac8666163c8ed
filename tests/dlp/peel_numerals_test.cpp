#include "dlp/layer.hpp"

#include "codings.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace sallyport::dlp {
namespace {

constexpr std::string_view kText = "a text of some length, with signs: ?&=_-";

void peel_numerals(std::string_view text, LayerSink const& sink) { dlp::peel_numerals(text, digit_runs(text), sink); }

/// Whether one of the layers of `text` holds kText.
bool holds(std::string const& text) {
  bool found = false;
  peel_numerals(text, [&](Layer&& layer) { found = found || layer.bytes.find(kText) != std::string::npos; });
  return found;
}

TEST(PeelNumerals, UndoesEveryNumeral) {
  for (auto coding : {"base64", "base64url", "base64-shifted", "base64-mime", "base32", "base85", "ascii85", "hex",
                      "hex-colons", "hex-spaces", "hex-c-array"}) {
    EXPECT_TRUE(holds(test::encode(coding, kText))) << coding;
    EXPECT_TRUE(holds("{\"v\": \"" + test::encode(coding, kText) + "\"}")) << coding;
  }
}

TEST(PeelNumerals, Base64IsReadAtEveryAlignmentOfALongerString) {
  for (auto before : {"", "a", "ab", "abc", "data/", "id-12-"}) {
    EXPECT_TRUE(holds(before + test::encode("base64", kText))) << before;
  }
}

TEST(PeelNumerals, LinesFoldedInJsonAreJoined) {
  auto folded = test::encode("base64-mime", kText);
  for (auto at = folded.find("\r\n"); at != std::string::npos; at = folded.find("\r\n")) folded.replace(at, 2, "\\n");
  EXPECT_TRUE(holds("\"" + folded + "\""));
}

TEST(PeelNumerals, SourceIsTheStretchOfDigits) {
  auto digits = test::encode("base64", kText);
  std::vector<Span> sources;
  peel_numerals("v=\"" + digits + "\"", [&](Layer&& layer) {
    if (layer.coding == Coding::base64) sources.push_back(layer.source);
  });
  ASSERT_FALSE(sources.empty());
  EXPECT_EQ(3u, sources[0].begin);
  EXPECT_EQ(3 + digits.find_last_not_of('=') + 1, sources[0].end);
}

TEST(PeelNumerals, MarksOfAscii85ThatOverlapHoldNothing) {
  peel_numerals("a <~>7cURzzzzzzzz", [](Layer&& layer) { EXPECT_LE(layer.bytes.size(), 4 * layer.source.size()); });
}

TEST(PeelNumerals, ProseHasNoLayers) {
  int layers = 0;
  peel_numerals("Plain words, numbers like 12345 and paths like a/b/c do not decode to anything.",
                [&](Layer&&) { ++layers; });
  EXPECT_EQ(0, layers);
}

TEST(DigitRuns, LetterOfAnEscapeIsNoDigit) {
  std::string const digits(24, 'Q');
  EXPECT_EQ((std::vector<Span>{{2, 26}}), digit_runs("\\n" + digits));
  EXPECT_EQ((std::vector<Span>{{0, 25}}), digit_runs("n" + digits));
}

}  // namespace
}  // namespace sallyport::dlp
