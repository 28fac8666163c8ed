#include "proxy/http1_body.hpp"

#include "tests/proxy/stream_pair.hpp"

#include <gtest/gtest.h>

#include <string>

namespace sallyport::tests {
namespace {

using proxy::BodyKind;
using proxy::Http1BodySink;
using proxy::Http1BodySource;

struct Body {
  std::string content;
  std::vector<proxy::Field> trailers;
  std::optional<Code> error;
};

awaitable<Body> read_all(Http1BodySource& source) {
  Body body;
  for (bool last = false; !last;) {
    auto piece = co_await source.read();
    if (!piece) {
      body.error = piece.error().code;
      break;
    }
    body.content += piece->content;
    last = piece->last;
  }
  body.trailers = source.trailers();
  co_return body;
}

/// What a peer's bytes are as a body of this kind; the peer closes behind them.
Body body_of(BodyKind const& kind, std::string_view wire) {
  StreamPair pair;
  send_all(pair.client.get(), wire);
  shutdown_send(pair.client.get());
  Http1BodySource source(pair.stream, kind);
  return run(pair.io, read_all(source));
}

TEST(Http1BodySource, GivesContentWithoutItsFraming) {
  EXPECT_EQ(body_of(proxy::ContentLength{5}, "helloNEXT").content, "hello");
  EXPECT_EQ(body_of(proxy::UntilClose{}, "hello").content, "hello");
  EXPECT_EQ(body_of(proxy::NoBody{}, "NEXT").content, "");
  auto const chunked = body_of(proxy::Chunked{}, "2;ext=1\r\nhe\r\n3\r\nllo\r\n0\r\nX-Sum: 1\r\n\r\nNEXT");
  EXPECT_EQ(chunked.content, "hello");
  EXPECT_EQ(chunked.trailers, (std::vector<proxy::Field>{{"X-Sum", "1"}}));
  EXPECT_EQ(chunked.error, std::nullopt);
}

TEST(Http1BodySource, LeavesTheNextMessageInTheBuffer) {
  StreamPair pair;
  send_all(pair.client.get(), "3\r\nabc\r\n0\r\n\r\nGET /");
  Http1BodySource source(pair.stream, proxy::Chunked{});
  EXPECT_EQ(run(pair.io, read_all(source)).content, "abc");
  EXPECT_EQ(pair.stream.buffered(), "GET /");
}

TEST(Http1BodySource, BodyThatIsCutOffIsAnError) {
  EXPECT_EQ(body_of(proxy::ContentLength{5}, "hell").error, Code::closed);
  EXPECT_EQ(body_of(proxy::Chunked{}, "5\r\nhello\r\n").error, Code::closed);
  EXPECT_EQ(body_of(proxy::Chunked{}, "5\r\nhelloX").error, Code::invalid);
}

/// What reaches the peer of two pieces.
std::string written(BodyKind const& kind, std::vector<proxy::Field> const& trailers) {
  StreamPair pair;
  Http1BodySink sink(pair.stream, kind);
  proxy::BodyPiece const first{"hello ", false}, middle{"", false}, last{"world", true};
  for (auto const& piece : {first, middle, last}) EXPECT_TRUE(run(pair.io, sink.write(piece, trailers)));
  pair.stream.shutdown_send();
  return receive_to_end(pair.client.get());
}

TEST(Http1BodySink, WritesItsOwnFraming) {
  EXPECT_EQ(written(proxy::ContentLength{11}, {}), "hello world");
  EXPECT_EQ(written(proxy::UntilClose{}, {}), "hello world");
  EXPECT_EQ(written(proxy::Chunked{}, {}), "6\r\nhello \r\n5\r\nworld\r\n0\r\n\r\n");
  EXPECT_EQ(written(proxy::Chunked{}, {{"X-Sum", "1"}}), "6\r\nhello \r\n5\r\nworld\r\n0\r\nX-Sum: 1\r\n\r\n");
}

}  // namespace
}  // namespace sallyport::tests
