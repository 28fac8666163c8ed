#include "audit/json_text.hpp"

#include <gtest/gtest.h>

namespace sallyport::audit {
namespace {

std::string json(std::string_view text, std::size_t max_bytes = 1000) {
  std::string out;
  append_escaped(out, text, EscapeFor::json, max_bytes);
  return out;
}

TEST(JsonText, LeavesWhatIsPlainToReaders) {
  for (auto const* text : {"", "a", "GET /x?y=~", "ÄÖ", "日本", "😀", "\u00a0", "\U0010ffff"}) EXPECT_EQ(json(text), text);
}

TEST(JsonText, EscapesWhatEndsAStringOrALine) {
  EXPECT_EQ(json("a\"b"), "a\\\"b");
  EXPECT_EQ(json("a\\b"), "a\\\\b");
  EXPECT_EQ(json("a\nb\r\t"), "a\\u000ab\\u000d\\u0009");
  EXPECT_EQ(json(std::string_view("\0", 1)), "\\u0000");
}

TEST(JsonText, EscapesWhatFoolsATerminalOrAReader) {
  EXPECT_EQ(json("\x1b[2J"), "\\u001b[2J");  // erase the screen
  EXPECT_EQ(json("\x7f"), "\\u007f");
  EXPECT_EQ(json("\u009b2J"), "\\u009b2J");            // the same in C1
  EXPECT_EQ(json("\u202etxt.exe"), "\\u202etxt.exe");  // right-to-left override
  EXPECT_EQ(json("\u2066\u2069\u061c\u200f"), "\\u2066\\u2069\\u061c\\u200f");
  EXPECT_EQ(json("\u2028\u2029"), "\\u2028\\u2029");
  EXPECT_EQ(json("git\u200bhub"), "git\\u200bhub");  // zero width space
  EXPECT_EQ(json("\ufeff\u00ad"), "\\ufeff\\u00ad");
  EXPECT_EQ(json("\U000e0041"), "\\udb40\\udc41");  // tag: a pair of surrogates
}

TEST(JsonText, ShowsBytesThatAreNotUtf8) {
  EXPECT_EQ(json("\xff"), "\\\\xff");
  EXPECT_EQ(json("a\x80z"), "a\\\\x80z");
  EXPECT_EQ(json("\xc0\xaf"), "\\\\xc0\\\\xaf");             // overlong '/'
  EXPECT_EQ(json("\xe0\x80\xaf"), "\\\\xe0\\\\x80\\\\xaf");  // overlong
  EXPECT_EQ(json("\xf0\x82\x82\xac"), "\\\\xf0\\\\x82\\\\x82\\\\xac");
  EXPECT_EQ(json("\xed\xa0\x80"), "\\\\xed\\\\xa0\\\\x80");             // surrogate
  EXPECT_EQ(json("\xf4\x90\x80\x80"), "\\\\xf4\\\\x90\\\\x80\\\\x80");  // above U+10FFFF
  EXPECT_EQ(json("\xe2\x82"), "\\\\xe2\\\\x82");                        // cut short
  EXPECT_EQ(json("\xc3("), "\\\\xc3(");
}

TEST(JsonText, ShowsTheSameOnATerminalWithoutTheQuoting) {
  EXPECT_EQ(printable("a\"\\b\x1b\xff\u202e"), "a\"\\b\\u001b\\xff\\u202e");
}

TEST(JsonText, CutsAtTheBoundButNeverInsideACharacterOrAnEscape) {
  std::string const text = "ab\n\xff\u00e4\U000e0041\"z";
  std::string const pieces[] = {"a", "b", "\\u000a", "\\\\xff", "\u00e4", "\\udb40\\udc41", "\\\"", "z"};
  auto const whole = json(text);
  for (std::size_t bound = 0; bound <= whole.size(); ++bound) {
    std::string longest;
    for (auto const& piece : pieces) {
      if (longest.size() + piece.size() > bound) break;
      longest += piece;
    }
    std::string part;
    auto const fit = append_escaped(part, text, EscapeFor::json, bound);
    EXPECT_EQ(part, longest) << bound;
    EXPECT_EQ(fit == Fit::whole, bound == whole.size()) << bound;
  }
}

TEST(JsonText, AddsToWhatIsThere) {
  std::string out = "before ";
  EXPECT_EQ(append_escaped(out, "abc", EscapeFor::json, 2), Fit::cut);
  EXPECT_EQ(out, "before ab");
}

}  // namespace
}  // namespace sallyport::audit
