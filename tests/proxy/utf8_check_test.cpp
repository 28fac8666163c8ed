#include "proxy/utf8_check.hpp"

#include <gtest/gtest.h>

#include <string>

namespace sallyport::proxy {
namespace {

/// Whether `text` is UTF-8 when it comes in two pieces, for every cut.
void expect_utf8(std::string_view text, bool expected) {
  EXPECT_EQ(is_utf8(text), expected) << text;
  for (std::size_t cut = 0; cut <= text.size(); ++cut) {
    Utf8Check check;
    bool const good = check.feed(text.substr(0, cut)) && check.feed(text.substr(cut)) && check.is_complete();
    EXPECT_EQ(good, expected) << text << " cut at " << cut;
  }
}

TEST(Utf8Check, TakesEveryLengthOfCodePointHoweverItIsCut) {
  for (auto const* const text : {"", "plain", "\xc2\x80 gr\xc3\xbc\xc3\x9f", "\xe0\xa0\x80\xed\x9f\xbf\xef\xbf\xbf", "\xf0\x90\x80\x80\xf4\x8f\xbf\xbf!"})
    expect_utf8(text, true);
}

TEST(Utf8Check, RefusesWhatIsNone) {
  for (auto const* const text : {"\x80", "a\xff", "\xc0\x80", "\xc3(", "\xe0\x9f\xbf", "\xed\xa0\x80", "\xf0\x8f\xbf\xbf", "\xf4\x90\x80\x80", "\xf5\x80\x80\x80",
                                 "cut \xc3", "cut \xe2\x82", "cut \xf0\x9f\x98"})
    expect_utf8(text, false);
}

TEST(Utf8Check, SaysSoWithTheFirstByteThatCannotBe) {
  Utf8Check check;
  EXPECT_TRUE(check.feed("\xed"));
  EXPECT_FALSE(check.feed("\xa0")) << "a surrogate, whatever comes";
}

}  // namespace
}  // namespace sallyport::proxy
