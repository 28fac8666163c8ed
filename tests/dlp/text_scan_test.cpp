#include "dlp/text_scan.hpp"

#include "detector_cases.hpp"
#include "dlp/base_n.hpp"
#include "dlp/example.hpp"
#include "dlp/scanner.hpp"

#include "codings.hpp"
#include "detector_cases.hpp"

#include <brotli/encode.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>

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
  EXPECT_TRUE(std::any_of(both.begin(), both.end(), [](Finding const& each) {
    return each.codings == std::vector{Coding::base64};
  })) << "a copy that is coded is found beside the plain one";
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

/// A small first block, which looks harmless, then a large one; without the last byte, so that it never ends.
std::string endless_brotli(std::size_t large) {
  std::unique_ptr<BrotliEncoderState, decltype(&::BrotliEncoderDestroyInstance)> const encoder(
      ::BrotliEncoderCreateInstance(nullptr, nullptr, nullptr), &::BrotliEncoderDestroyInstance);
  std::string packed(4096, '\0');
  auto* to = reinterpret_cast<std::uint8_t*>(packed.data());
  std::size_t room = packed.size();
  auto const write = [&](BrotliEncoderOperation operation, std::string_view bytes) {
    auto const* from = reinterpret_cast<std::uint8_t const*>(bytes.data());
    auto left = bytes.size();
    do {
      ASSERT_TRUE(::BrotliEncoderCompressStream(encoder.get(), operation, &left, &from, &room, &to, nullptr));
    } while (left > 0 || ::BrotliEncoderHasMoreOutput(encoder.get()));
  };
  write(BROTLI_OPERATION_FLUSH, "a first block of some sixty bytes, of which each is another: 1234");
  write(BROTLI_OPERATION_FLUSH, std::string(large, 'a'));
  packed.resize(packed.size() - room);
  return packed;
}

TEST(TextScan, BrotliThatComesToNothingCountsToo) {
  auto const packed = endless_brotli(1'000'000);
  ASSERT_LT(packed.size(), 200U);
  std::string message;
  for (int i = 0; i < 500; ++i) message += to_base64(packed) + " {}, ";
  EXPECT_TRUE(test::finding_of("decode-limit", message)) << "half a gigabyte out of 60 KB";
}

TEST(TextScan, TokenBehindAnEscapeIsFoundThoughItWantsNoNeighbour) {
  for (std::string_view before : {"TOKEN%3D", "x%22", "a%20", "=\\u003d"}) {
    EXPECT_TRUE(test::finding_of("crates-io", std::string(before) + test::example("cio<b62*32>"))) << before;
  }
}

TEST(TextScan, LongTokenWithOneEscapeNearItsEndIsFound) {
  auto token = test::example("ATATT3xFfGF0<b64u*171>=<crchex>");
  token.replace(token.find('='), 1, "%3D");
  EXPECT_TRUE(test::finding_of("atlassian", "note=1&data=" + token + "&x=1"));
}

TEST(TextScan, HomoglyphsWrittenAsEscapesAreRead) {
  auto token = test::example("ghp_<b62*30><crc62>");
  token.replace(token.find("p_"), 1, "\\u0440");
  EXPECT_TRUE(test::finding_of("github-pat", R"({"k":")" + token + R"("})"));
}

TEST(TextScan, WordsNeedNoLiteral) {
  auto const wif = test::example("<wif>");
  EXPECT_TRUE(test::finding_of("bitcoin-wif-bare", "key " + wif + " end"));
  EXPECT_TRUE(test::finding_of("bitcoin-wif-bare", "/put/" + wif + "/x"));
  EXPECT_FALSE(test::finding_of("bitcoin-wif-bare", "key A" + wif + " end"));
}

TEST(TextScan, SeedPhraseIsFoundCodedToo) {
  auto const phrase = test::example("<seed>");
  EXPECT_TRUE(test::finding_of("bip39-seed-phrase", "wallet: " + phrase + "."));
  EXPECT_TRUE(test::finding_of("bip39-seed-phrase", test::encode("base64", phrase)));
}

TEST(TextScan, TurnedProseIsNotPutTogether) {
  EXPECT_FALSE(test::finding_of("netlify", "AdengthKVM: arm64: vgi64: vts: KVM:/mmu:vm_release_pfn_cleanin_pfn"));
}

TEST(TextScan, FindsATokenInRawDeflateInBase64) {
  auto const token = test::example("npm_<b62*30><crc62>");
  for (std::string text : {token, "SAMLRequest: " + token + " and some words of text behind it, some words of text"}) {
    auto const digits = to_base64(test::compressed(Coding::deflate, text));
    EXPECT_TRUE(test::finding_of("npm", "{\"data\": \"" + digits + "\"}")) << text;
  }
}

TEST(TextScan, LongBase64OfNoiseHidesNoToken) {
  ExampleRandom random(4);
  auto const token = test::example("npm_<b62*30><crc62>");
  for (std::size_t at : {0u, 1000u, 50'000u, 99'999u}) {
    auto const noise = random.bytes(100'000);
    for (auto prefix : {"", "x", "xy", "xyz"}) {
      auto const digits = to_base64(noise.substr(0, at) + token + noise.substr(at));
      EXPECT_TRUE(test::finding_of("npm", prefix + digits)) << prefix << at;
      auto const packed = to_base64(noise.substr(0, at) + test::compressed(Coding::zlib, token + token) + noise.substr(at));
      EXPECT_TRUE(test::finding_of("npm", prefix + packed)) << prefix << at << ", packed";
    }
  }
}

}  // namespace
}  // namespace sallyport::dlp
