#include "proxy/content_scan.hpp"

#include "dlp/example.hpp"
#include "proxy/dlp_setup.hpp"

#include <gtest/gtest.h>

#include <string>

namespace sallyport::proxy {
namespace {

TEST(ContentScan, FindsWhatIsWholeAndWhatIsCutOverValues) {
  policies::DlpPolicy const policy;
  DlpSetup setup(policy, {});
  auto const secret = dlp::expand_example("ghp_<b62*30><crc62>", 7).value();
  ContentScan whole(setup.get());
  whole.feed("k=" + secret);
  whole.finish();
  EXPECT_EQ(whole.take_findings().whole.size(), 1U);
  ContentScan pieces(setup.get());
  pieces.feed(R"({"a":")" + secret.substr(0, 20) + R"(","b":")" + secret.substr(20) + R"("})");
  pieces.finish();
  EXPECT_EQ(pieces.take_findings().in_pieces.size(), 1U);
}

TEST(ContentScan, WhatIsNotFinishedIsNotClear) {
  policies::DlpPolicy const policy;
  DlpSetup setup(policy, {});
  ContentScan scan(setup.get());
  scan.feed("some text");
  EXPECT_EQ(scan.clear_up_to(), 0U);
  scan.finish();
  EXPECT_EQ(scan.clear_up_to(), 9U);
}

TEST(ContentScan, WhatBeganInTheTextBeforeIsFoundWithWhatIsItsOwn) {
  policies::DlpPolicy const policy;
  DlpSetup setup(policy, {});
  auto const secret = dlp::expand_example("ghp_<b62*30><crc62>", 7).value();
  for (std::size_t cut : {1U, 7U, 20U, 39U}) {
    ContentScan scan(setup.get(), "x=" + secret.substr(0, cut));
    scan.feed(secret.substr(cut) + " and more");
    EXPECT_EQ(scan.clear_up_to(), 0U);
    scan.finish();
    auto const found = scan.take_findings().whole;
    ASSERT_EQ(found.size(), 1U) << "cut at " << cut;
    EXPECT_EQ(found[0].offset, 0U);
    EXPECT_EQ(found[0].length, secret.size() - cut);
  }
}

TEST(ContentScan, TextBeforeIsNoFindingAndHidesNone) {
  policies::DlpPolicy const policy;
  DlpSetup setup(policy, {});
  auto const secret = dlp::expand_example("ghp_<b62*30><crc62>", 7).value();
  ContentScan clean(setup.get(), "x=" + secret + " ");
  clean.feed("nothing here");
  clean.finish();
  EXPECT_TRUE(clean.take_findings().whole.empty());
  ContentScan at_start(setup.get(), "the text before ends in a letter");
  at_start.feed(secret);
  at_start.finish();
  EXPECT_EQ(at_start.take_findings().whole.size(), 1U) << "what is before is no neighbour";
}

}  // namespace
}  // namespace sallyport::proxy
