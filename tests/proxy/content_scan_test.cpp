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

}  // namespace
}  // namespace sallyport::proxy
