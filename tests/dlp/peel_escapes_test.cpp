#include "dlp/layer.hpp"

#include "codings.hpp"
#include "detector_cases.hpp"

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

TEST(PeelEscapes, PlusOfAFormIsABlank) {
  auto const pem = test::example("<pem>");
  std::string form;
  for (char c : pem) form += c == ' ' ? "+" : c == '\n' ? "%0A" : c == '+' ? "%2B" : std::string(1, c);
  EXPECT_TRUE(test::finding_of("private-key-pem", "k=" + form + "&x=1"));
}

TEST(PeelEscapes, EscapedSlashesOfJsonAreRead) {
  EXPECT_TRUE(test::finding_of("database-url", R"({"u":"postgres:\/\/root:I3OAJTchRUgjJpq9@db.acme.io\/x"})"));
  auto key = test::example("AccountKey=<b64*86>==");
  key[20] = '/';
  auto const escaped = key.substr(0, 20) + "\\" + key.substr(20);
  EXPECT_TRUE(test::finding_of("azure-connection-string", escaped));
}

TEST(PeelEscapes, OneEqualsSignInADigestMakesNoToken) {
  EXPECT_FALSE(test::finding_of("openshift", "sha256=7e78d2c8acdd04c7ae4d76dd582da0eb3c95e9e24a4e61b2c3d4f5a60718293a  x.tgz"));
}

}  // namespace
}  // namespace sallyport::dlp
