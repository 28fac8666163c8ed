#include "dlp/wide_digits.hpp"

#include "dlp/base_n.hpp"
#include "dlp/example.hpp"

#include <gtest/gtest.h>

namespace sallyport::dlp {
namespace {

constexpr std::string_view kBase64Any = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/-_";

TEST(WideDigits, AllLanesDecodeTheSame) {
  ExampleRandom random(1);
  for (std::size_t size = 0; size < 150; ++size) {
    auto digits = random.text(kBase64Any, size);
    auto hex = random.text("0123456789abcdefABCDEF", size);
    std::string wide, narrow;
    for (auto lanes : possible_lanes()) {
      EXPECT_EQ(decode_base64_run(digits, narrow, Lanes::scalar), decode_base64_run(digits, wide, lanes)) << digits;
      EXPECT_EQ(decode_hex_run(hex, narrow, Lanes::scalar), decode_hex_run(hex, wide, lanes)) << hex;
    }
  }
}

TEST(WideDigits, ABufferIsUsedAgain) {
  std::string buffer;
  for (auto lanes : possible_lanes()) {
    EXPECT_EQ("a longer text", decode_base64_run("YSBsb25nZXIgdGV4dA", buffer, lanes));
    EXPECT_EQ("short", decode_base64_run("c2hvcnQ", buffer, lanes));
    EXPECT_EQ("", decode_base64_run("", buffer, lanes));
    EXPECT_EQ("hex", decode_hex_run("686578", buffer, lanes));
  }
}

TEST(TextAlignments, OfHexAreFound) {
  std::string const digits = "a3f67685f70617373776f72642d31323334353637";
  EXPECT_TRUE(text_alignments_hex(digits) >> 1 & 1);
  EXPECT_TRUE(text_alignments_hex(digits.substr(1)) & 1);
  EXPECT_EQ(0u, text_alignments_hex("8f9e8d9c8b9a8f9e8d9c8b9a8f9e8d9c8b9a8f9e"));
}

}  // namespace
}  // namespace sallyport::dlp
