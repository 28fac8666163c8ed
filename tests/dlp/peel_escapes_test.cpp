#include "dlp/layer.hpp"

#include "codings.hpp"

#include <gtest/gtest.h>

namespace sallyport::dlp {
namespace {

bool holds(std::string const& text, std::string_view wanted) {
  bool found = false;
  peel_escapes(text, [&](Layer&& layer) { found = found || layer.bytes.find(wanted) != std::string::npos; });
  return found;
}

TEST(PeelEscapes, UndoesEveryEscape) {
  constexpr std::string_view kText = "token_1-x";
  for (auto coding :
       {"percent", "percent-twice", "json-u", "backslash-x", "html-decimal", "html-hex", "quoted-printable"}) {
    EXPECT_TRUE(holds(test::encode(coding, kText), kText)) << coding;
  }
}

TEST(PeelEscapes, OneEscapeInAPlainTextIsEnough) {
  EXPECT_TRUE(holds("a ghp%5Fabc", "ghp_abc"));
  EXPECT_TRUE(holds("a ghp\\u005fabc", "ghp_abc"));
  EXPECT_TRUE(holds("a ghp&lowbar;abc", "ghp_abc"));
  EXPECT_TRUE(holds("a ghp=5Fabc", "ghp_abc"));
  EXPECT_TRUE(holds("a gh=\r\np_abc", "ghp_abc"));
}

TEST(PeelEscapes, BackslashesOfProgramsAreUndone) {
  EXPECT_TRUE(holds("'\\147\\150\\160\\137abc'", "ghp_abc"));
  EXPECT_TRUE(holds("'\\u{67}\\u{000068}p_abc'", "ghp_abc"));
  EXPECT_FALSE(holds("a\\19 \\u{67 \\u{} \\u{xyz}", ""));
}

TEST(PeelEscapes, TenRoundsOfPercentAreUndone) {
  std::string text = "_";
  for (int round = 0; round < 10; ++round) text = round == 0 ? "%5F" : "%25" + text.substr(1);
  EXPECT_TRUE(holds("ghp" + text + "abc", "ghp_abc"));
}

TEST(PeelEscapes, WhatIsNoEscapeIsLeftAlone) {
  for (auto text : {"100%", "%zz", "a & b", "&nosuch;", "x = y", "\\n", "\\u12", "=", "%"})
    EXPECT_FALSE(holds(text, "")) << text;
}

}  // namespace
}  // namespace sallyport::dlp
