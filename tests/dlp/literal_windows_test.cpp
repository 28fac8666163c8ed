#include "dlp/literal_windows.hpp"

#include "dlp/example.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace sallyport::dlp {
namespace {

std::vector<Window> const kWindows = {{"ghp_", Case::exact}, {"toke", Case::ignored}, {"eyJ", Case::exact}, {"://", Case::exact}};

bool stands(Window const& window, std::string_view text) {
  if (text.size() < window.bytes.size()) return false;
  for (std::size_t i = 0; i < window.bytes.size(); ++i) {
    auto const both = spellings(window.bytes[i], window.letter_case);
    if (text[i] != both[0] && text[i] != both[1]) return false;
  }
  return true;
}

std::vector<Lanes> wide_lanes() {
  auto lanes = possible_lanes();
  lanes.erase(lanes.begin());
  return lanes;
}

TEST(LiteralWindows, NoEngineMissesAWindow) {
  LiteralWindows const windows(kWindows);
  ExampleRandom random(5);
  std::size_t found = 0;
  for (int round = 0; round < 2000; ++round) {
    auto const text = random.text("ghp_TokEeyJ:/\xe9\xf4 ", 3 + random.below(300));
    for (auto lanes : wide_lanes()) {
      std::vector<std::uint16_t> places(LiteralWindows::kRoom);
      places.resize(windows.find(text, places.data(), lanes));
      for (std::size_t at = 0; at + 3 <= text.size(); ++at) {
        auto const rest = std::string_view(text).substr(at);
        bool const is_there = std::any_of(kWindows.begin(), kWindows.end(), [&](auto const& window) { return stands(window, rest); });
        if (!is_there) continue;
        ++found;
        ASSERT_TRUE(std::find(places.begin(), places.end(), at) != places.end()) << text << " at " << at;
      }
    }
  }
  EXPECT_GE(found, 100 * wide_lanes().size()) << "or else nothing was asked";
}

TEST(LiteralWindows, PlacesAreInOrderAndHaveThreeBytes) {
  LiteralWindows const windows(kWindows);
  std::string text;
  for (int i = 0; i < 1000; ++i) text += "eyJ";
  for (auto lanes : wide_lanes()) {
    std::vector<std::uint16_t> places(LiteralWindows::kRoom);
    places.resize(windows.find(text, places.data(), lanes));
    EXPECT_TRUE(std::is_sorted(places.begin(), places.end()));
    EXPECT_LT(places.back(), LiteralWindows::kBatch);
    for (std::size_t size : {2u, 3u, 4u, 34u, 35u, 36u, 64u, 66u}) {
      places.resize(LiteralWindows::kRoom);
      places.resize(windows.find(std::string_view(text).substr(0, size), places.data(), lanes));
      for (auto place : places) EXPECT_LE(place + 3u, size);
      EXPECT_EQ(size / 3, static_cast<std::size_t>(std::count_if(places.begin(), places.end(), [](auto place) { return place % 3 == 0; }))) << size;
    }
  }
}

TEST(LiteralWindows, OrdinaryWordsArePassedBy) {
  LiteralWindows const windows(kWindows);
  std::string text;
  while (text.size() < LiteralWindows::kBatch) text += "the quick brown fox jumps over the lazy dog, ";
  for (auto lanes : wide_lanes()) {
    std::vector<std::uint16_t> places(LiteralWindows::kRoom);
    EXPECT_LT(windows.find(text, places.data(), lanes), text.size() / 20);
  }
}

}  // namespace
}  // namespace sallyport::dlp
