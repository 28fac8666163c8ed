#include "dlp/scanner.hpp"

#include "codings.hpp"
#include "detector_cases.hpp"
#include "dlp/base_n.hpp"
#include "dlp/example.hpp"
#include "dlp/limits.hpp"

#include <gtest/gtest.h>

namespace sallyport::dlp {
namespace {

using test::example;

std::vector<Finding> scan_in_pieces(std::string_view message, std::vector<std::size_t> const& cuts,
                                    std::optional<Coding> coding = std::nullopt) {
  Scanner scanner(test::builtin_setup(), coding);
  std::size_t at = 0;
  for (auto cut : cuts) {
    scanner.feed(message.substr(at, cut - at));
    at = cut;
  }
  scanner.feed(message.substr(at));
  scanner.finish();
  return scanner.take_findings();
}

/// Text without secrets, of a kind that holds literals, runs, and escapes.
std::string filler(std::size_t size, std::uint64_t seed) {
  ExampleRandom random(seed);
  std::string text;
  while (text.size() < size) {
    text += random.text("abcdefghij klmnop\n", 40) + "\"url\": \"https://registry.test/%20x\", \"sum\": \"" +
            random.text("0123456789abcdef", 40) + "\", password: none, ghp_, " + to_base64(random.bytes(30)) + "\n";
  }
  return text.substr(0, size);
}

std::string const& secrets() {
  static std::string const text =
      "a " + example("ghp_<b62*30><crc62>") + " b " + test::encode("base64", example("glpat-<b64u*20>")) + " c " +
      test::encode("percent", example("AKIA<aws>")) + " d " + test::encode("gzip", example("sk-or-v1-<hex*64>")) + " e";
  return text;
}

TEST(Scanner, EveryCutGivesTheSameFindings) {
  auto expected = scan_in_pieces(secrets(), {});
  ASSERT_GE(expected.size(), 4u);
  for (std::size_t cut = 0; cut <= secrets().size(); ++cut) ASSERT_EQ(expected, scan_in_pieces(secrets(), {cut})) << cut;
}

TEST(Scanner, ByteByByteGivesTheSameFindings) {
  auto message = filler(3000, 1) + secrets() + filler(3000, 2);
  std::vector<std::size_t> cuts(message.size());
  for (std::size_t i = 0; i < cuts.size(); ++i) cuts[i] = i;
  EXPECT_EQ(scan_in_pieces(message, {}), scan_in_pieces(message, cuts));
}

TEST(Scanner, FindsSecretsAroundEveryBlockBorder) {
  for (std::size_t shift = 0; shift < secrets().size() + 60; shift += 13) {
    auto before = kBlockBytes - shift;
    auto message = filler(before, 3) + secrets() + filler(2 * kBlockBytes, 4);
    auto findings = scan_in_pieces(message, {});
    ASSERT_EQ(4u, findings.size()) << shift;
    ASSERT_EQ(findings, scan_in_pieces(message, {100, before, before + 50, before + 60000})) << shift;
  }
}

TEST(Scanner, FollowsCompressedStreamsOverManyBlocks) {
  auto text = filler(900'000, 5) + example("ghp_<b62*30><crc62>") + filler(100'000, 6);
  for (auto coding : {Coding::gzip, Coding::zlib, Coding::zstd, Coding::brotli, Coding::deflate}) {
    auto packed = test::compressed(coding, text);
    ASSERT_GT(packed.size(), 2 * kBlockBytes);
    auto findings = scan_in_pieces(packed, {}, coding);
    ASSERT_EQ(1u, findings.size()) << to_string(coding);
    EXPECT_EQ(findings, scan_in_pieces(packed, {1, 1000, 70'000, 70'001, 200'000}, coding)) << to_string(coding);
  }
}

TEST(Scanner, FollowsACompressedStreamInLongBase64) {
  auto packed = test::compressed(Coding::gzip, filler(900'000, 7) + example("npm_<b62*30><crc62>") + filler(9000, 8));
  auto message = R"({"name": "x", "data": ")" + to_base64(packed) + R"("})";
  auto findings = scan_in_pieces(message, {});
  ASSERT_EQ(1u, findings.size());
  EXPECT_EQ("npm", findings[0].detector);
  EXPECT_EQ((std::vector{Coding::base64, Coding::gzip}), findings[0].codings);
}

TEST(Scanner, NothingIsClearBeforeItIsJudged) {
  auto token = example("ghp_<b62*30><crc62>");
  auto message = filler(200'000, 9) + token + filler(200'000, 10);
  Scanner scanner(test::builtin_setup());
  for (std::size_t at = 0; at < message.size(); at += 1000) {
    scanner.feed(std::string_view(message).substr(at, 1000));
    if (!scanner.take_findings().empty()) return;
    ASSERT_LE(scanner.clear_up_to(), 200'000u) << "the token was clear to send before it was found";
  }
  FAIL() << "not found";
}

TEST(Scanner, NothingCompressedIsClearBeforeItIsJudged) {
  ExampleRandom random(11);
  auto noise = random.bytes(300'000);
  auto packed = test::compressed(Coding::gzip, noise + " " + example("ghp_<b62*30><crc62>") + " " + random.bytes(300'000));
  Scanner scanner(test::builtin_setup());
  for (std::size_t at = 0; at < packed.size(); at += 1000) {
    scanner.feed(std::string_view(packed).substr(at, 1000));
    if (!scanner.take_findings().empty()) return;
    ASSERT_LE(scanner.clear_up_to(), 300'000u);
  }
  FAIL() << "not found";
}

TEST(Scanner, WholeMessageIsClearInTheEnd) {
  Scanner scanner(test::builtin_setup());
  scanner.feed("hello");
  EXPECT_EQ(0u, scanner.clear_up_to());
  scanner.finish();
  EXPECT_EQ(5u, scanner.clear_up_to());
}

TEST(ContentCoding, KnowsTheTokensOfRfc9110) {
  EXPECT_EQ(Coding::gzip, content_coding_of("x-gzip"));
  EXPECT_EQ(Coding::brotli, content_coding_of("br"));
  EXPECT_FALSE(content_coding_of("identity"));
}

TEST(Scanner, TokenCutOverValuesOfACompressedBodyIsFound) {
  auto const token = test::example("ghp_<b62*30><crc62>");
  auto const body = "{\"n\":\"x\",\"a\":\"" + token.substr(0, 18) + "\",\"b\":\"" + token.substr(18) + "\"}";
  for (auto coding : {Coding::gzip, Coding::zlib}) {
    auto const found = test::finding_of("github-pat", test::compressed(coding, body));
    ASSERT_TRUE(found) << to_string(coding);
    EXPECT_EQ(std::vector<Coding>{coding}, found->codings);
  }
}

}  // namespace
}  // namespace sallyport::dlp
