#include "dlp/plausible.hpp"

#include "detector_cases.hpp"

#include <gtest/gtest.h>

namespace sallyport::dlp {
namespace {

TEST(Plausible, EntropyOfKnownTexts) {
  EXPECT_DOUBLE_EQ(0, entropy(""));
  EXPECT_DOUBLE_EQ(0, entropy("aaaa"));
  EXPECT_DOUBLE_EQ(1, entropy("abab"));
  EXPECT_DOUBLE_EQ(4, entropy("0123456789abcdef"));
}

TEST(Plausible, GeneratedValuesAreRandom) {
  for (auto text : {"<b62*20>", "<b62*40>", "<hex*32>", "<hex*40>", "<b64*40>", "<b64u*43>", "<l36*32>", "<U36*32>"}) {
    int random = 0;
    for (std::uint64_t seed = 0; seed < 200; ++seed) random += is_random(test::example(text, seed)) ? 1 : 0;
    EXPECT_GE(random, 190) << text;
  }
}

TEST(Plausible, WordsNamesAndCodeAreNotRandom) {
  for (auto text : {"application/json", "getAccessTokenFromRequest", "my-service-account-name", "2024-01-01T00:00:00",
                    "v1.2.3-beta", "node_modules/express", "short1", "UPPER_CASE_CONSTANT_1", "internationalization18n"}) {
    EXPECT_FALSE(is_random(text)) << text;
  }
}

TEST(Plausible, PlaceholdersAreKnown) {
  for (auto text : {"changeme", "<your token>",
                    "$"
                    "{TOKEN}",
                    "xxxxxxxxxxxx", "YOUR_API_KEY", "0000000000000000", "abcdefghijklmnop",
                    "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", "my-example-key"}) {
    EXPECT_TRUE(is_placeholder(text)) << text;
  }
  EXPECT_FALSE(is_placeholder(test::example("<b62*36>")));
}

TEST(Code, ExpressionsAndUrlsAreNoValues) {
  for (auto code : {"exports2.HEX_TOKENS", "line_js_1.tokenize", "https://eu.example.net/token", "std::uint32_t",
                    "urn:x:token-type:a4"})
    EXPECT_TRUE(is_code(code, ';')) << code;
  EXPECT_TRUE(is_code("base64_decode1", '('));
  for (auto value : {"h480djs93hd8", "Ab3.q9Zk2", "x7.k2_m9p4"}) EXPECT_FALSE(is_code(value, '"')) << value;
}

TEST(Published, ExamplesOfDocumentationAreKnown) {
  EXPECT_TRUE(is_published("4111111111111111"));
  EXPECT_FALSE(is_published("4111111111111112"));
}

TEST(Code, TypesChainsRoutesAndTimesAreNoValues) {
  for (std::string_view code : {"idTokenResult?.token", "t.minPasswordLength??6", "e.HEX=e.URL_CHAR=e.MARK",
                                "/v1/accounts:signInWithPassword", "2016-09-08T21:47:36Z"}) {
    EXPECT_TRUE(is_code(code, '"')) << code;
  }
  EXPECT_TRUE(is_code("Base64URLString", ';'));
  EXPECT_TRUE(is_code("Uint8Array", ','));
  EXPECT_FALSE(is_code("Kx7Pq2Zr9TbW4mNc", ';'));
  EXPECT_FALSE(is_code("/9j+4AAQ8kZJRgABAQEAYABg", '"'));
}

TEST(Plausible, AValueAloneHasFewWordsAndIsNoDigest) {
  EXPECT_TRUE(is_random_alone("q7Kx9vTzR2mWb4NpYs8dLc3H"));
  for (auto value : {"nextTokenIsEqualsOrSemicolonOrColonToken", "__stringMin1Max512PatternAZAZ09", "PassWordMustBeAtLeast6Chars",
                     "5199831f4dd3b79e7c5b7e0ebe75d67aa66e79d4", "sha256-0Vn9Qz2Tqk8rMbXw5uPcJd7yLf3sHg6aEo1iKpQmN4U"})
    EXPECT_FALSE(is_random_alone(value)) << value;
}

TEST(Plausible, KeysMeantForBrowsersArePublished) {
  for (auto key : {"pk_live_51H8xkdjQJ2mXk29vQpl2Zz", "phc_Xk29vQpl2ZzTr8Lm4Nq0Rs6Uv1Wy3Za5Bc7De9", "pk.eyJ1IjoiYWNtZSJ9.Xk29vQpl2Zz"}) EXPECT_TRUE(is_published(key)) << key;
  EXPECT_FALSE(is_published("sk_live_51H8xkdjQJ2mXk29vQpl2Zz"));
}

TEST(Plausible, ShortWordsInRandomCaseAreNoPlaceholder) {
  for (auto word : {"ab3fake9x", "ab3FAKE9x", "ab3Fake9x", "1xxxx2"}) EXPECT_TRUE(is_placeholder(word)) << word;
  for (auto word : {"Q7LfAkEt3Vw9", "Q7LxXxxt3Vw9"}) EXPECT_FALSE(is_placeholder(word)) << word;
}

}  // namespace
}  // namespace sallyport::dlp
