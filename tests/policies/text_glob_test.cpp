#include "policies/text_glob.hpp"

#include <gtest/gtest.h>
#include <string>

namespace sallyport::policies {
namespace {

/// Obviously right, and slow.
bool slow(std::string_view glob, std::string_view text) {
  if (glob.empty()) return text.empty();
  if (glob[0] == '*') return slow(glob.substr(1), text) || (!text.empty() && slow(glob, text.substr(1)));
  return !text.empty() && glob[0] == text[0] && slow(glob.substr(1), text.substr(1));
}

TEST(TextMatches, StarIsAnyBytes) {
  EXPECT_TRUE(text_matches("application/json*", "application/json; charset=utf-8"));
  EXPECT_TRUE(text_matches("*", ""));
  EXPECT_TRUE(text_matches("*a*", "/x/a\n"));
  EXPECT_FALSE(text_matches("json", "application/json"));
  EXPECT_FALSE(text_matches("JSON", "json"));
  EXPECT_FALSE(text_matches("", "x"));
  EXPECT_TRUE(text_matches("", ""));
}

TEST(TextMatches, AgreesWithASlowTwinOnAllShortTexts) {
  std::vector<std::string> globs = {""}, texts = {""};
  for (std::size_t i = 0; globs[i].size() < 4; ++i)
    for (char c : {'a', 'b', '*'}) globs.push_back(globs[i] + c);
  for (std::size_t i = 0; texts[i].size() < 5; ++i)
    for (char c : {'a', 'b'}) texts.push_back(texts[i] + c);
  for (auto const& glob : globs)
    for (auto const& text : texts) ASSERT_EQ(text_matches(glob, text), slow(glob, text)) << glob << " " << text;
}

TEST(TextMatches, ManyStarsDoNotTakeForever) {
  EXPECT_FALSE(text_matches("*a*a*a*a*a*a*a*a*a*a*a*a*a*b", std::string(64 * 1024, 'a')));
}

}  // namespace
}  // namespace sallyport::policies
