#include "dlp/decompressor.hpp"

#include "codings.hpp"
#include "detector_cases.hpp"
#include "dlp/example.hpp"

#include <gtest/gtest.h>

namespace sallyport::dlp {
namespace {

constexpr Coding kAll[] = {Coding::gzip, Coding::zlib, Coding::deflate, Coding::zstd, Coding::brotli};

struct Outcome {
  std::string bytes;
  StreamState state = StreamState::open;
};

Outcome run(Coding coding, std::string_view in, std::size_t piece, std::size_t room) {
  auto decompressor = make_decompressor(coding);
  Outcome outcome;
  std::string out(room, '\0');
  std::size_t given = 0;
  for (std::size_t at = 0; outcome.state == StreamState::open;) {
    given = std::min(in.size(), std::max(given, at + piece));
    auto step = decompressor->step(in.substr(at, given - at), std::span(out));
    at += step.consumed;
    outcome.bytes.append(out, 0, step.produced);
    outcome.state = step.state;
    if (step.consumed == 0 && step.produced == 0) {
      if (given == in.size()) break;
      given = std::min(in.size(), given + piece);
    }
  }
  return outcome;
}

TEST(Decompressor, RoundTripsInPiecesOfAnySize) {
  ExampleRandom random(4);
  auto text = random.text("abcdefgh ", 20000) + std::string(20000, 'x');
  for (auto coding : kAll) {
    auto packed = test::compressed(coding, text);
    for (std::size_t piece : {1u, 7u, 1000u, 1000000u}) {
      auto outcome = run(coding, packed, piece, 512);
      EXPECT_EQ(text, outcome.bytes) << to_string(coding) << piece;
      EXPECT_EQ(StreamState::ended, outcome.state) << to_string(coding) << piece;
    }
  }
}

TEST(Decompressor, TruncatedStreamStaysOpenAndGarbageFails) {
  for (auto coding : kAll) {
    auto packed = test::compressed(coding, "some text that is long enough to be compressed, compressed, compressed");
    EXPECT_EQ(StreamState::open, run(coding, packed.substr(0, packed.size() - 3), 1000, 512).state) << to_string(coding);
    EXPECT_EQ(StreamState::failed, run(coding, std::string(600, '\xff'), 1000, 512).state) << to_string(coding);
  }
}

TEST(FindPacked, FindsTheHeadOfEachFormatInOrder) {
  for (auto coding : {Coding::gzip, Coding::zlib, Coding::zstd}) {
    PackedStart found;
    ASSERT_TRUE(find_packed("x(P text " + test::compressed(coding, "some text that is worth it"), 0, found)) << to_string(coding);
    EXPECT_EQ(9u, found.position) << to_string(coding);
    EXPECT_EQ(coding, found.coding);
  }
  PackedStart found;
  EXPECT_FALSE(find_packed("function(x) { return P(x ^ 1); } x", 0, found));
}

TEST(MayBeginBrotli, LetsStreamsThroughAndFewDigests) {
  std::string text;
  for (int i = 0; i < 20; ++i) text += "some text that repeats itself, number " + std::to_string(i) + "; ";
  for (auto const& each : {text, expand_example("ghp_<b62*30><crc62>", 7).value()}) {
    auto const packed = test::compressed(Coding::brotli, each);
    EXPECT_TRUE(may_begin_brotli(packed, packed.size())) << each;
  }
  EXPECT_FALSE(may_begin_brotli("", 0));
  ExampleRandom random(11);
  int taken = 0;
  for (int i = 0; i < 10'000; ++i) taken += may_begin_brotli(random.bytes(32), 32) ? 1 : 0;
  EXPECT_LT(taken, 100) << "of 10,000 digests";
}

TEST(FindPacked, ZipMemberBeginsBehindItsNameAndExtraField) {
  std::string zip("PK\x03\x04\x14\0\0\0\x08\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x05\0\x02\0", 30);
  PackedStart found;
  ASSERT_TRUE(find_packed(zip + "a.txt" + "ee" + test::compressed(Coding::deflate, "text"), 0, found));
  EXPECT_EQ(37u, found.position);
  EXPECT_EQ(Coding::deflate, found.coding);
}

TEST(Decompressor, MembersOfGzipAreOneText) {
  auto const token = test::example("npm_<b62*30><crc62>");
  auto const text = "x = " + token + "\n";
  for (std::size_t cut : {5u, 12u, 30u}) {
    auto const packed = test::encode("gzip", text.substr(0, cut)) + test::encode("gzip", text.substr(cut));
    EXPECT_TRUE(test::finding_of("npm", packed)) << cut;
  }
}

}  // namespace
}  // namespace sallyport::dlp
