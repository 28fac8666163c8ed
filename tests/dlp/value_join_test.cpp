#include "dlp/value_join.hpp"

#include <gtest/gtest.h>

namespace sallyport::dlp {
namespace {

TEST(ValueJoin, TakesTheValuesOfEveryForm) {
  struct Case {
    std::string_view message, joined;
  };
  for (auto const& [message, joined] : {
           Case{"a=one&b=two", "onetwo"},
           Case{R"({"a": "one", "b":"two"})", "onetwo"},
           Case{"X-A: one\r\nX-B: two\r\n\r\n", "onetwo"},
           Case{"<a>one</a><b>two</b>", "onetwo"},
           Case{"Cookie: a=one; b=two", "onetwo"},
           Case{"Content-Disposition: form-data; name=\"a\"\r\n\r\none\r\n", "one"},
           Case{R"("x = \"one\" + \"two\"")", "xonetwo"},
           Case{"a=b25l==&b=two", "b25ltwo"},
           Case{"plain text, no values", ""},
       }) {
    EXPECT_EQ(joined, join_values(message).text) << message;
  }
}

TEST(ValueJoin, ValueThatBeginsLikeATokenStandsByItself) {
  EXPECT_EQ("one\nghp_abtwo", join_values(*RuleSet::builtin(), "a=one&b=ghp_ab&c=two").text);
  EXPECT_EQ("one\nghp_ab", join_values(*RuleSet::builtin(), "a=one&b=gh&c=p_ab").text);
}

TEST(ValueJoin, KnowsWhereTheTextStood) {
  auto joined = join_values("a=one&b=two&c=three");
  EXPECT_EQ((Span{2, 5}), joined.source_of(0, 3));
  EXPECT_EQ((Span{3, 9}), joined.source_of(1, 4));
  EXPECT_EQ((Span{8, 19}), joined.source_of(3, 11));
}

}  // namespace
}  // namespace sallyport::dlp
