#include "dlp/detector.hpp"

#include "detector_cases.hpp"

#include <gtest/gtest.h>

namespace sallyport::dlp {
namespace {

TEST(CodeHostDetectors, EveryExampleIsFoundAndNoNearMissIs) { test::expect_examples_hold(code_host_detectors()); }

TEST(CodeHostDetectors, RightChecksumOutweighsWhatStandsBesideTheToken) {
  auto token = test::example("ghp_<b62*30><crc62>");
  auto finding = test::finding_of("github-pat", "abc" + token + "def");
  ASSERT_TRUE(finding);
  EXPECT_EQ(Certainty::verified, finding->certainty);
  EXPECT_EQ(3u, finding->offset);
  EXPECT_EQ(token.size(), finding->length);
  EXPECT_FALSE(test::finding_of("github-pat", "abc" + test::example("ghp_<b62*36>") + "def"));
}

TEST(CodeHostDetectors, TokenEndsAtTheFirstByteOutsideItsAlphabet) {
  for (char behind : std::string_view("&,;})<\"\x27 \n%")) {
    auto text = test::example("t=ghp_<b62*30><crc62>") + behind + "more";
    EXPECT_TRUE(test::finding_of("github-pat", text)) << behind;
  }
}
}  // namespace
}  // namespace sallyport::dlp
