#include "dlp/layer.hpp"

#include "dlp/base_n.hpp"

#include <gtest/gtest.h>

namespace sallyport::dlp {
namespace {

bool holds(std::string const& text, std::string_view wanted) {
  bool found = false;
  peel_numbers(text, digit_runs(text),
               [&](Layer&& layer) { found = found || layer.bytes.find(wanted) != std::string::npos; });
  return found;
}

std::string decimals(std::string_view text, std::string_view separator) {
  std::string numbers;
  for (char c : text) numbers.append(numbers.empty() ? "" : separator).append(std::to_string(c));
  return numbers;
}

TEST(PeelNumbers, UndoesBase58OfEveryLength) {
  std::string text = "ghp_token!";
  for (std::size_t size = 16; size <= 180; ++size) {
    text.resize(size, static_cast<char>('!' + size % 90));
    EXPECT_TRUE(holds("v=\"" + to_base58(text) + "\"", text)) << size;
    EXPECT_TRUE(holds("+" + to_base58(text) + "/", text)) << size;
  }
}

/// Found by fuzzing: the logarithm of zero became a byte.
TEST(PeelNumbers, ARunOfTheDigitForZeroIsNoText) {
  for (std::size_t size = 16; size <= 64; ++size) EXPECT_FALSE(holds("=" + std::string(size, '1') + "&", "")) << size;
  EXPECT_FALSE(holds("=" + std::string(12, '1') + "abcdefgh&", ""));
}

TEST(PeelNumbers, UndoesNumbersOfCharacters) {
  constexpr std::string_view kText = "ghp_a token, in numbers";
  for (auto separator : {",", ", ", " "}) {
    EXPECT_TRUE(holds(decimals(kText, separator), kText)) << separator;
    EXPECT_TRUE(holds("[" + decimals(kText, separator) + "]", kText)) << separator;
    EXPECT_TRUE(holds("[5000, 7, 1, " + decimals(kText, separator) + ", 0, 3]", kText)) << separator;
  }
}

TEST(PeelNumbers, OtherNumbersAndWordsAreNone) {
  for (auto text : {"1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21",
                    "20241231, 20241230, 20241229, 20241228, 20241227", "aLongNameThatHasOnlyLettersInThisProgram"}) {
    EXPECT_FALSE(holds(text, "")) << text;
  }
}

}  // namespace
}  // namespace sallyport::dlp
