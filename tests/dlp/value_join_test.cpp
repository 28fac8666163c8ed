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
  EXPECT_EQ("one\nghp_abtwo", with_edges(*RuleSet::builtin(), join_values("a=one&b=ghp_ab&c=two")).text);
  EXPECT_EQ("one\nghp_ab", with_edges(*RuleSet::builtin(), join_values("a=one&b=gh&c=p_ab")).text);
}

TEST(ValueJoin, KnowsWhereTheTextStood) {
  auto joined = join_values("a=one&b=two&c=three");
  EXPECT_EQ((Span{2, 5}), joined.source_of(0, 3));
  EXPECT_EQ((Span{3, 9}), joined.source_of(1, 4));
  EXPECT_EQ((Span{8, 19}), joined.source_of(3, 11));
}

TEST(ValueJoin, ClosingQuotesAndLinesBetweenPartsAreNoValues) {
  EXPECT_EQ("onetwo", join_values(R"(var t="one"+"two";)").text);
  EXPECT_EQ("onetwo", join_values("--B\r\n\r\none\r\n--B\r\n\r\ntwo\r\n--B--\r\n").text);
  EXPECT_EQ("onetwo", join_values("one\ntwo\n").text);
  EXPECT_EQ("b25ldHdv", join_values(R"({"a":"b25l","b":"dHdv"})").text);
  EXPECT_EQ("b25lMQdHdv", join_values(R"({"a":"b25lMQ==","b":"dHdv"})").text);
}

TEST(ValueJoin, DecodesValuesOneByOne) {
  EXPECT_EQ("one-1two--2", decoded_values(join_values(R"({"a":"b25lLTE=","n":"{}","b":"dHdvLS0y"})")).text);
  EXPECT_EQ("one-1two-2", decoded_values(join_values("a=6f6e652d31&b=74776f2d32")).text);
  EXPECT_EQ("", decoded_values(join_values("a=ordinary&b=Values123")).text);
}

TEST(ValueJoin, PartsOfAPath) {
  EXPECT_EQ("onetwo", path_parts("https://host.example/one/two?x=/three").text);
  EXPECT_EQ("onetwo", path_parts("GET /one/two HTTP/1.1\r\nHost: a/b\r\n").text);
  EXPECT_EQ("", path_parts("https://host.example").text);
  EXPECT_EQ("", path_parts("a /text/with/slashes").text.substr(0, 0));
  EXPECT_EQ("", path_parts("{\"a\": \"/one/two\"}").text);
}

}  // namespace
}  // namespace sallyport::dlp
