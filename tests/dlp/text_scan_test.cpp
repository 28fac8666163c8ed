#include "dlp/text_scan.hpp"

#include "codings.hpp"
#include "detector_cases.hpp"

#include <gtest/gtest.h>

namespace sallyport::dlp {
namespace {

TEST(TextScan, FindsATokenInEveryCoding) {
  for (auto text : {"ghp_<b62*30><crc62>", "glpat-<b64u*20>", "AKIA<aws>", "sk-or-v1-<hex*64>"}) {
    auto token = test::example(text);
    for (auto const& coding : test::all_codings()) {
      EXPECT_FALSE(scan_message(test::builtin_setup(), "before " + coding.encode(token) + " behind").empty())
          << text << " in " << coding.name;
    }
  }
}

TEST(TextScan, NamesTheCodingsFromTheOutside) {
  auto finding =
      test::finding_of("github-pat", "x " + test::encode("percent-of-base64", test::example("ghp_<b62*30><crc62>")));
  ASSERT_TRUE(finding);
  EXPECT_EQ((std::vector{Coding::percent, Coding::base64}), finding->codings);
}

TEST(TextScan, DepthIsBounded) {
  auto text = test::example("ghp_<b62*30><crc62>");
  for (int depth = 0; depth < kMaxDepth; ++depth) text = test::encode("base64", text);
  EXPECT_TRUE(test::finding_of("github-pat", text));
  EXPECT_FALSE(test::finding_of("github-pat", test::encode("base64", test::encode("base64", text))));
}

TEST(TextScan, CompressedBombIsAFindingAndStops) {
  std::string zeros(80'000'000, '\0');
  auto bomb = test::compressed(Coding::gzip, test::compressed(Coding::gzip, zeros));
  EXPECT_TRUE(test::finding_of("decode-limit", bomb));
}

}  // namespace
}  // namespace sallyport::dlp
