#include "dlp/packed_stream.hpp"

#include "codings.hpp"
#include "dlp/base_n.hpp"

#include <gtest/gtest.h>

namespace sallyport::dlp {
namespace {

std::string decode(std::string_view text, std::size_t skip, std::size_t piece) {
  Base64Feed feed(skip);
  std::string out;
  for (std::size_t at = 0; at < text.size(); at += piece) {
    if (!feed.feed(text.substr(at, piece), out)) break;
  }
  return out;
}

TEST(Base64Feed, EveryPieceSizeGivesTheSameBytes) {
  std::string bytes = "some bytes that are long enough for more than one line of folded base 64, and then some";
  auto digits = to_base64(bytes);
  auto folded = digits.substr(0, 60) + "\r\n" + digits.substr(60, 30) + "\\n" + digits.substr(90) + "\" rest";
  for (std::size_t piece = 1; piece < folded.size(); ++piece) EXPECT_EQ(bytes, decode(folded, 0, piece)) << piece;
}

TEST(Base64Feed, SkipsDigitsAtTheStart) { EXPECT_EQ("foo", decode("abcZm9v", 3, 2)); }

TEST(PackedStream, GarbageEndsIt) {
  auto rules = RuleSet::builtin();
  KnownValues none;
  DecodeBudget budget;
  FindingLog log("salt");
  PackedStream stream({*rules, none, budget, log}, {.coding = Coding::gzip}, {});
  EXPECT_EQ(StreamState::failed, stream.feed("this is not gzip at all"));
}

TEST(PackedStream, EndsWithItsStream) {
  auto rules = RuleSet::builtin();
  KnownValues none;
  DecodeBudget budget;
  FindingLog log("salt");
  PackedStream stream({*rules, none, budget, log}, {.coding = Coding::zstd}, {});
  auto packed = test::compressed(Coding::zstd, "some text");
  EXPECT_EQ(StreamState::open, stream.feed(packed.substr(0, 5)));
  EXPECT_EQ(StreamState::ended, stream.feed(packed.substr(5)));
  EXPECT_EQ(9u, stream.fed_inside());
}

}  // namespace
}  // namespace sallyport::dlp
