#include "dlp/checks.hpp"

#include "dlp/base_n.hpp"

#include "detector_cases.hpp"

#include <gtest/gtest.h>

namespace sallyport::dlp {
namespace {

using test::example;

TEST(Checks, WrongChecksumMakesALookAlikeAndNeverNothing) {
  EXPECT_EQ(CheckResult::passed, run_check(Check::crc32_base62, example("ghp_<b62*30><crc62>")));
  EXPECT_EQ(CheckResult::look_alike, run_check(Check::crc32_base62, example("ghp_<b62*36>")));
  EXPECT_EQ(CheckResult::look_alike, run_check(Check::bech32, "AGE-SECRET-KEY-1" + example("<U36*58>")));
  EXPECT_EQ(CheckResult::none, run_check(Check::sha256_base32, example("github_pat_11<b62*20>_<b62*59>")));
}

TEST(Checks, JwtNeedsAnAlgorithmAndClaims) {
  EXPECT_EQ(CheckResult::passed, run_check(Check::jwt, example("<jwt>")));
  auto part = [](std::string_view json) { return to_base64_url(json); };
  auto claims = part(R"({"sub":"1"})");
  EXPECT_EQ(CheckResult::rejected, run_check(Check::jwt, part(R"({"typ":"JWT"})") + "." + claims + ".c2ln"));
  EXPECT_EQ(CheckResult::rejected,
            run_check(Check::jwt, part(R"({"alg":"HS256"})") + "." + part("no json at all") + ".c2ln"));
  EXPECT_EQ(CheckResult::rejected, run_check(Check::jwt, "eyJhbGciOiJIUzI1NiJ9"));
}

TEST(Checks, PemHoldsAnAsn1SequenceOrAnOpensshKey) {
  auto block = [](std::string_view label, std::string_view bytes) {
    return "-----BEGIN " + std::string(label) + "-----\n" + to_base64(bytes) + "\n-----END " + std::string(label) + "-----";
  };
  std::string padding(64, 'x');
  EXPECT_EQ(CheckResult::passed, run_check(Check::pem, example("<pem>")));
  EXPECT_EQ(CheckResult::passed, run_check(Check::pem, block("OPENSSH PRIVATE KEY", "openssh-key-v1" + padding)));
  EXPECT_EQ(CheckResult::passed, run_check(Check::pem, block("ENCRYPTED PRIVATE KEY", padding)));
  EXPECT_EQ(CheckResult::look_alike, run_check(Check::pem, block("PRIVATE KEY", padding)));
  EXPECT_EQ(CheckResult::rejected, run_check(Check::pem, block("PRIVATE KEY", "short")));
}

TEST(Checks, BasicCredentialsAreAUserAndAPassword) {
  EXPECT_EQ(CheckResult::passed, run_check(Check::basic_auth, to_base64("build:s3cr3t-enough")));
  for (auto text : {"no colon in here", "user:", "user:\x01\x02\x03\x04\x05", "user:changeme"}) {
    EXPECT_EQ(CheckResult::rejected, run_check(Check::basic_auth, to_base64(text))) << text;
  }
}

TEST(Checks, AccountNumberInANewAwsKeyIdIsPlausible) {
  EXPECT_EQ(CheckResult::none, run_check(Check::aws_account, example("AKIA<aws>")));
  EXPECT_EQ(CheckResult::look_alike, run_check(Check::aws_account, "AKIA7" + example("<B32*15>")));
}

TEST(Checks, UrlPasswordIsNoStandIn) {
  EXPECT_EQ(CheckResult::passed, run_check(Check::url_password, "hunter2-and-more"));
  EXPECT_EQ(CheckResult::rejected, run_check(Check::url_password, "password"));
  EXPECT_EQ(CheckResult::rejected, run_check(Check::url_password,
                                             "$"
                                             "{PASS}"));
}

TEST(Checks, JwtThatHasExpiredIsALookAlike) {
  auto const with_claims = [](std::string_view claims) {
    return to_base64_url(R"({"alg":"HS256"})") + "." + to_base64_url(claims) + ".c2lnbmF0dXJl";
  };
  EXPECT_EQ(CheckResult::look_alike, run_check(Check::jwt, with_claims(R"({"sub":"a","exp":1536361411})")));
  EXPECT_EQ(CheckResult::passed, run_check(Check::jwt, with_claims(R"({"sub":"a","exp": 99536361411})")));
  EXPECT_EQ(CheckResult::passed, run_check(Check::jwt, with_claims(R"({"sub":"a","iat":1536361411})")));
}

}  // namespace
}  // namespace sallyport::dlp
