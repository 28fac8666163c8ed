#include "dlp/literal_filter.hpp"

#include "dlp/example.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace sallyport::dlp {
namespace {

std::vector<Literal> const kLiterals = {{"ghp_", Case::exact},       {"glpat-", Case::exact}, {"eyJ", Case::exact},
                                        {"password", Case::ignored}, {"://", Case::exact},    {"-----BEGIN ", Case::exact},
                                        {"aaa", Case::exact},        {"r8_", Case::exact}};

/// The obviously right way.
std::vector<LiteralHit> slow(std::string_view text) {
  std::vector<LiteralHit> hits;
  auto lowered = [](std::string_view s) {
    std::string out(s);
    std::transform(out.begin(), out.end(), out.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return out;
  };
  for (std::size_t at = 0; at < text.size(); ++at) {
    for (std::uint16_t i = 0; i < kLiterals.size(); ++i) {
      auto piece = text.substr(at, kLiterals[i].text.size());
      bool same =
          kLiterals[i].letter_case == Case::exact ? piece == kLiterals[i].text : lowered(piece) == kLiterals[i].text;
      if (same) hits.push_back({at, i});
    }
  }
  return hits;
}

void sort(std::vector<LiteralHit>& hits) {
  std::sort(hits.begin(), hits.end(), [](auto const& a, auto const& b) {
    return std::pair(a.position, a.literal) < std::pair(b.position, b.literal);
  });
}

TEST(LiteralFilter, EveryEngineFindsWhatALinearSearchFinds) {
  auto filter = LiteralFilter::build(kLiterals);
  ExampleRandom random(3);
  for (int round = 0; round < 300; ++round) {
    std::string text;
    while (text.size() < 20 + random.below(300)) {
      auto const& literal = kLiterals[random.below(kLiterals.size())].text;
      text += random.below(3) == 0 ? literal : random.text("aghp_lPASWORDpasword:/-\xff", 1 + random.below(9));
    }
    auto expected = slow(text);
    for (auto lanes : possible_lanes()) {
      std::vector<LiteralHit> hits;
      filter.find(text, hits, lanes);
      sort(hits);
      ASSERT_EQ(expected, hits) << text;
    }
  }
}

TEST(LiteralFilter, FindsALiteralAtEveryPlaceOfATextOfEveryLength) {
  auto filter = LiteralFilter::build(kLiterals);
  for (std::size_t before = 0; before < 70; ++before) {
    for (std::size_t behind = 0; behind < 70; ++behind) {
      auto text = std::string(before, '.') + "ghp_" + std::string(behind, '.');
      std::vector<LiteralHit> hits;
      filter.find(text, hits);
      ASSERT_EQ((std::vector{LiteralHit{before, 0}}), hits) << before << " " << behind;
    }
  }
}

TEST(LiteralFilter, EmptyTextAndEmptyFilterFindNothing) {
  std::vector<LiteralHit> hits;
  LiteralFilter::build(kLiterals).find("", hits);
  LiteralFilter::build({}).find("some text that is longer than one register of the processor", hits);
  EXPECT_TRUE(hits.empty());
}

}  // namespace
}  // namespace sallyport::dlp
