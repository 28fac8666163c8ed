#include "dlp/text_scan.hpp"

#include "detector_cases.hpp"
#include "dlp/base_n.hpp"
#include "dlp/scanner.hpp"

#include "codings.hpp"
#include "detector_cases.hpp"

#include <gtest/gtest.h>

#include <algorithm>

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

TEST(TextScan, WhatStandsPlainIsNoFindingOfACodingAroundIt) {
  auto setup = test::builtin_setup();
  setup.repeats = Repeats::every;
  auto const token = test::example("ghp_<b62*30><crc62>");
  auto const coded = to_base64(token);
  auto const plain = scan_message(setup, "a=20b k=" + token + " %41 &amp; =3D");
  ASSERT_EQ(plain.size(), 1U);
  EXPECT_TRUE(plain[0].codings.empty());
  auto const both = scan_message(setup, "a=20b k=" + token + " c=" + coded + " ");
  EXPECT_TRUE(std::any_of(both.begin(), both.end(), [](Finding const& each) { return each.codings == std::vector{Coding::base64}; }))
      << "a copy that is coded is found beside the plain one";
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
