#include "dlp/utf8.hpp"

#include <gtest/gtest.h>

namespace sallyport::dlp {
namespace {

TEST(Utf8, EveryCodePointRoundTrips) {
  for (char32_t c = 0; c <= 0x10ffff; c += c < 0x3000 ? 1 : 77) {
    if (c >= 0xd800 && c < 0xe000) continue;
    std::string text;
    append_utf8(c, text);
    auto [value, length] = first_code_point(text);
    ASSERT_EQ(c, value);
    ASSERT_EQ(text.size(), length);
  }
}

TEST(Utf8, MalformedTextIsNoCodePoint) {
  for (auto text : {"\x80", "\xc0\x80", "\xe0\x80\x80", "\xed\xa0\x80", "\xf4\x90\x80\x80", "\xff", "\xe2\x80"}) {
    EXPECT_EQ(0u, first_code_point(text).length) << text;
  }
}

TEST(Utf8, CharactersThatLookLikeAsciiAreThatAscii) {
  EXPECT_EQ('p', ascii_look(0x0440));   // Cyrillic
  EXPECT_EQ('A', ascii_look(0x0391));   // Greek
  EXPECT_EQ('g', ascii_look(0xff47));   // full width
  EXPECT_EQ('a', ascii_look(0x1d41a));  // mathematical bold
  EXPECT_EQ('9', ascii_look(0x1d7ff));
  EXPECT_EQ('h', ascii_look(0xe0068));  // tag
  EXPECT_EQ('\0', ascii_look(0x4e2d));  // Han
}

TEST(Utf8, InvisibleCharactersAreKnown) {
  for (char32_t c : {0x200b, 0x200d, 0x2060, 0xfeff, 0xad, 0x301, 0x202e, 0xfe0f}) EXPECT_TRUE(is_invisible(c)) << +c;
  EXPECT_FALSE(is_invisible('a'));
  EXPECT_FALSE(is_invisible(0x4e2d));
}

}  // namespace
}  // namespace sallyport::dlp
