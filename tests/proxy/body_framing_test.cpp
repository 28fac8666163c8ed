#include "proxy/body_framing.hpp"

#include "base/limits.hpp"

#include <gtest/gtest.h>

#include <string>

namespace sallyport::proxy {
namespace {

using namespace std::string_literals;

struct Outcome {
  std::size_t consumed = 0;
  bool done = false;
  std::uint64_t content = 0;
  std::optional<Code> error;
  bool operator==(Outcome const&) const = default;
};

/// Feeds `wire` in two pieces, as a relay does: what is not consumed belongs to the next message.
Outcome read_in_two(BodyKind const& kind, std::string_view wire, std::size_t cut) {
  BodyReader reader(kind);
  Outcome outcome;
  for (auto const piece : {wire.substr(0, cut), wire.substr(cut)}) {
    auto const step = reader.feed(piece);
    if (!step) return {0, false, 0, step.error().code};
    outcome.consumed += step->consumed;
    outcome.done = step->done;
  }
  outcome.content = reader.content_bytes();
  return outcome;
}

/// Every split gives `expected`.
void reads(BodyKind const& kind, std::string_view wire, Outcome const& expected) {
  for (std::size_t cut = 0; cut <= wire.size(); ++cut) {
    auto const outcome = read_in_two(kind, wire, cut);
    EXPECT_TRUE(outcome == expected) << "cut " << cut << " of " << wire.substr(0, 60) << ": consumed " << outcome.consumed
                                     << " done " << outcome.done << " content " << outcome.content;
  }
}

void ok(std::string_view wire, std::uint64_t content) { reads(Chunked{}, wire, {wire.size(), true, content, {}}); }
void bad(std::string_view wire, Code code = Code::invalid) { reads(Chunked{}, wire, {0, false, 0, code}); }

TEST(BodyFraming, EndsAContentLengthBodyAtItsLastByte) {
  reads(ContentLength{5}, "abcdeNEXT", {5, true, 5, {}});
  reads(ContentLength{5}, "abc", {3, false, 3, {}});
  reads(ContentLength{0}, "NEXT", {0, true, 0, {}});
  reads(NoBody{}, "NEXT", {0, true, 0, {}});
  reads(UntilClose{}, "abc", {3, false, 3, {}});
}

TEST(BodyFraming, ReadsChunks) {
  ok("0\r\n\r\n", 0);
  ok("5\r\nabcde\r\n0\r\n\r\n", 5);
  ok("5\r\nab\r\ne\r\nA\r\n0123456789\r\n0\r\n\r\n", 15);
  ok("1\r\na\r\n00\r\n\r\n", 1);
  ok("0000000000000001\r\na\r\n0\r\n\r\n", 1);
  ok("1;name=value;other=\"quoted\"\r\na\r\n0;last\r\n\r\n", 1);
  ok("1\r\na\r\n0\r\nDigest: x\r\nX-Y: z\r\n\r\n", 1);
  reads(Chunked{}, "1\r\na\r\n0\r\n\r\nGET / HTTP/1.1\r\n", {11, true, 1, {}});
  reads(Chunked{}, "5\r\nabc", {6, false, 3, {}});
}

TEST(BodyFraming, RefusesBadChunkSizes) {
  bad("\r\n");
  bad("-1\r\n");
  bad("+1\r\n");
  bad("0x1\r\n");
  bad(" 1\r\na\r\n");
  bad("1 \r\na\r\n");
  bad("1 ;x\r\na\r\n");
  bad("g\r\n");
  bad(";x\r\n");
  bad("00000000000000001\r\n");  // 17 digits
  bad("10000000000000000\r\n");  // 2^64
  bad("ffffffffffffffff\r\n");   // -1 for a peer with signed sizes
  bad("8000000000000000\r\n");
  bad("1\r\na\r\n7fffffffffffffff\r\n");  // together more than 2^63 - 1
}

TEST(BodyFraming, RefusesBadLineEnds) {
  bad("1\na\r\n0\r\n\r\n");
  bad("1\ra\r\n0\r\n\r\n");
  bad("1\r\na\n0\r\n\r\n");
  bad("1\r\naa\r\n0\r\n\r\n");  // longer than its size
  bad("1\r\na0\r\n\r\n");
  bad("1\r\na\r0\r\n");
  bad("0\r\n\n");
  bad("0\r\nX: y\n\r\n");
  bad("1;a\0b\r\n"s);
  bad("1;a\x0b\r\n");
}

TEST(BodyFraming, RefusesTrailersThatBelongIntoTheHead) {
  bad("0\r\nContent-Length: 5\r\n\r\n");
  bad("0\r\ntransfer-encoding: chunked\r\n\r\n");
  bad("0\r\nHost: b.example\r\n\r\n");
  bad("0\r\nConnection: close\r\n\r\n");
  bad("0\r\nAuthorization: x\r\n\r\n");
  bad("0\r\nSallyport-Reason: allowed\r\n\r\n");
  bad("0\r\nX : y\r\n\r\n");
  bad("0\r\nX: y\r\n folded\r\n\r\n");
  bad("0\r\nGET / HTTP/1.1\r\n\r\n");
}

TEST(BodyFraming, RefusesABareCrBeforeTheLineIsComplete) {
  BodyReader reader{Chunked{}};
  ASSERT_TRUE(reader.feed("1;x\r"));
  EXPECT_FALSE(reader.feed("a"));
}

TEST(BodyFraming, BoundsLinesAndTrailers) {
  std::string const extension(limits::kMaxChunkLineBytes - 4, 'x');
  BodyReader largest{Chunked{}};
  EXPECT_TRUE(largest.feed("1;" + extension + "\r\n"));
  BodyReader larger{Chunked{}};
  EXPECT_EQ(larger.feed("1;x" + extension + "\r\n").error().code, Code::limit);
  BodyReader dripped{Chunked{}};
  ASSERT_TRUE(dripped.feed("1;" + extension + "xx"));
  EXPECT_EQ(dripped.feed("x").error().code, Code::limit);
  BodyReader trailers{Chunked{}};
  ASSERT_TRUE(trailers.feed("0\r\n"));
  std::string const line = "X: " + std::string(1019, 'y') + "\r\n";
  for (std::size_t sum = line.size(); sum <= limits::kMaxTrailerBytes; sum += line.size())
    ASSERT_TRUE(trailers.feed(line)) << sum;
  EXPECT_EQ(trailers.feed("\r\n").error().code, Code::limit);
}

TEST(BodyFraming, OneByteAtATimeGivesTheSameBody) {
  std::string const wire = "a;x=y\r\n0123456789\r\n1\r\nz\r\n0\r\nX: y\r\n\r\n";
  BodyReader reader{Chunked{}};
  for (std::size_t i = 0; i < wire.size(); ++i) {
    ASSERT_FALSE(reader.done()) << i;
    auto const step = reader.feed(std::string_view(wire).substr(i, 1));
    ASSERT_TRUE(step) << i;
    EXPECT_EQ(step->consumed, 1U);
  }
  EXPECT_TRUE(reader.done());
  EXPECT_EQ(reader.content_bytes(), 11U);
}

TEST(BodyFraming, AnEarlyCloseIsAnErrorUnlessTheBodyEndsWithIt) {
  BodyReader cut_off{ContentLength{5}};
  ASSERT_TRUE(cut_off.feed("abc"));
  EXPECT_EQ(cut_off.finish().error().code, Code::closed);
  BodyReader no_last_chunk{Chunked{}};
  ASSERT_TRUE(no_last_chunk.feed("1\r\na\r\n"));
  EXPECT_EQ(no_last_chunk.finish().error().code, Code::closed);
  BodyReader until_close{UntilClose{}};
  ASSERT_TRUE(until_close.feed("abc"));
  EXPECT_TRUE(until_close.finish());
  EXPECT_TRUE(until_close.done());
  EXPECT_TRUE(BodyReader{NoBody{}}.finish());
}

}  // namespace
}  // namespace sallyport::proxy
