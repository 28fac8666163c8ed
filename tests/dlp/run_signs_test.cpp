#include "dlp/run_signs.hpp"

#include "dlp/base_n.hpp"
#include "dlp/example.hpp"

#include <gtest/gtest.h>

namespace sallyport::dlp {
namespace {

constexpr std::string_view kBase64Any = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/-_";

TEST(RunSigns, OfTextAreFoundWhereverATokenStandsInNoise) {
  ExampleRandom random(2);
  for (std::size_t before = 0; before < 40; ++before) {
    auto token = random.text("abcdefghijklmnopqrstuvwxyz_0123456789ABCDEFGHIJ-", 15 + before % 8);
    for (unsigned skip = 0; skip < 4; ++skip) {
      auto digits = random.text(kBase64Any, skip) + to_base64(random.bytes(before) + token + random.bytes(before / 2));
      for (auto lanes : possible_lanes()) {
        auto const signs = signs_of_run(std::string_view(digits).substr(0, digits.find('=')), lanes);
        EXPECT_TRUE(signs.text >> skip & 1) << before << " " << skip;
      }
    }
  }
}

TEST(RunSigns, OfTextAreRareInRandomDigits) {
  ExampleRandom random(3);
  int found = 0;
  for (int i = 0; i < 1000; ++i) found += signs_of_run(random.text(kBase64Any.substr(0, 64), 88)).text != 0 ? 1 : 0;
  EXPECT_LT(found, 30);
}

TEST(RunSigns, OfPackedStreamsAreWhereTheirHeadIs) {
  for (auto head : {"H4sIAAAA", "eJwrSS0u", "eNorSS0u", "KLUv/SAB", "UEsDBBQA"}) {
    for (std::size_t before = 0; before < 70; ++before) {
      auto digits = std::string(before, '-') + head;
      for (auto lanes : possible_lanes()) EXPECT_EQ(1u << (before % 4), signs_of_run(digits, lanes).packed) << head << before;
    }
  }
}

TEST(RunSigns, OfAlphabetsAskForTwentyDigitsInARow) {
  ExampleRandom random(4);
  for (std::size_t before = 0; before < 150; before += 3) {
    for (std::size_t size : {19u, 20u, 70u}) {
      auto const around = [&](std::string_view digits) { return std::string(before, '-') + random.text(digits, size) + "-" + std::string(before % 7, '-'); };
      for (auto lanes : possible_lanes()) {
        auto const hex = signs_of_run(around("01"), lanes), upper = signs_of_run(around("XYZ7"), lanes), lower = signs_of_run(around("xyz7"), lanes);
        EXPECT_EQ(size >= 20, hex.hex) << before << " " << size;
        EXPECT_EQ(size >= 20, upper.base32) << before << " " << size;
        EXPECT_EQ(size >= 20, lower.lower_base32) << before << " " << size;
        EXPECT_FALSE(hex.base32 || hex.lower_base32 || upper.hex || upper.lower_base32 || lower.hex || lower.base32);
      }
    }
  }
}

TEST(RunSigns, OfNothingAreNone) {
  for (auto lanes : possible_lanes()) {
    auto const signs = signs_of_run("", lanes);
    EXPECT_EQ(0u, signs.text | signs.packed);
    EXPECT_FALSE(signs.hex || signs.base32 || signs.lower_base32);
  }
}

}  // namespace
}  // namespace sallyport::dlp
