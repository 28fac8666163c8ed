#include "dlp/wide_digits.hpp"

#include "dlp/base_n.hpp"
#include "dlp/example.hpp"

#include <gtest/gtest.h>

namespace sallyport::dlp {
namespace {

constexpr std::string_view kBase64Any = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/-_";

TEST(WideDigits, BothLanesDecodeTheSame) {
  ExampleRandom random(1);
  for (std::size_t size = 0; size < 150; ++size) {
    auto digits = random.text(kBase64Any, size);
    auto hex = random.text("0123456789abcdefABCDEF", size);
    std::string wide, narrow;
    decode_base64_run(digits, wide, best_lanes());
    decode_base64_run(digits, narrow, Lanes::scalar);
    EXPECT_EQ(narrow, wide) << digits;
    decode_hex_run(hex, wide, best_lanes());
    decode_hex_run(hex, narrow, Lanes::scalar);
    EXPECT_EQ(narrow, wide) << hex;
  }
}

TEST(TextAlignments, AreFoundWhereverATokenStandsInNoise) {
  ExampleRandom random(2);
  for (std::size_t before = 0; before < 40; ++before) {
    auto token = random.text("abcdefghijklmnopqrstuvwxyz_0123456789ABCDEFGHIJ-", 15 + before % 8);
    for (unsigned skip = 0; skip < 4; ++skip) {
      auto digits = random.text(kBase64Any, skip) + to_base64(random.bytes(before) + token + random.bytes(before / 2));
      auto alignments = text_alignments_base64(digits.substr(0, digits.find('=')));
      EXPECT_TRUE(alignments >> skip & 1) << before << " " << skip;
    }
  }
}

TEST(TextAlignments, OfHexAreFound) {
  std::string const digits = "a3f67685f70617373776f72642d31323334353637";
  EXPECT_TRUE(text_alignments_hex(digits) >> 1 & 1);
  EXPECT_TRUE(text_alignments_hex(digits.substr(1)) & 1);
  EXPECT_EQ(0u, text_alignments_hex("8f9e8d9c8b9a8f9e8d9c8b9a8f9e8d9c8b9a8f9e"));
}

TEST(TextAlignments, OfRandomDigitsAreRare) {
  ExampleRandom random(3);
  int found = 0;
  for (int i = 0; i < 1000; ++i) found += text_alignments_base64(random.text(kBase64Any.substr(0, 64), 88)) != 0 ? 1 : 0;
  EXPECT_LT(found, 30);
}

TEST(PackedAlignments, AreWhereTheHeadIs) {
  for (auto head : {"H4sIAAAA", "eJwrSS0u", "eNorSS0u", "KLUv/SAB", "UEsDBBQA"}) {
    for (std::size_t before = 0; before < 70; ++before) {
      auto digits = std::string(before, '-') + head;
      EXPECT_EQ(1u << (before % 4), packed_alignments_base64(digits)) << head << before;
      EXPECT_EQ(1u << (before % 4), packed_alignments_base64(digits, Lanes::scalar)) << head << before;
    }
  }
}

}  // namespace
}  // namespace sallyport::dlp
