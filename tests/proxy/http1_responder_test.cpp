#include "proxy/http1_responder.hpp"

#include "tests/proxy/stream_pair.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace sallyport::tests {
namespace {

using proxy::Http1Responder;
using proxy::Next;
using testing::HasSubstr;
using testing::StartsWith;

proxy::ResponseHead head(int status, proxy::BodyKind body = proxy::NoBody{}) {
  proxy::ResponseHead made;
  made.status = status;
  made.reason_phrase = "Word";
  made.body = std::move(body);
  return made;
}

TEST(Http1Responder, WritesTheResponseWithItsFraming) {
  StreamPair pair;
  Http1Responder responder(pair.stream, 1);
  EXPECT_TRUE(run(pair.io, responder.respond(head(200, proxy::Chunked{}), Next::request)));
  proxy::BodyPiece const all{"hello", true};
  EXPECT_TRUE(run(pair.io, responder.body().write(all, {})));
  pair.stream.shutdown_send();
  auto const sent = receive_to_end(pair.client.get());
  EXPECT_THAT(sent, StartsWith("HTTP/1.1 200 Word\r\n"));
  EXPECT_THAT(sent, HasSubstr("Connection: keep-alive\r\n"));
  EXPECT_THAT(sent, HasSubstr("\r\n\r\n5\r\nhello\r\n0\r\n\r\n"));
}

TEST(Http1Responder, OldClientsGetNoInterimResponse) {
  for (int const minor_version : {0, 1}) {
    StreamPair pair;
    Http1Responder responder(pair.stream, minor_version);
    EXPECT_TRUE(run(pair.io, responder.inform(head(103))));
    pair.stream.shutdown_send();
    auto const sent = receive_to_end(pair.client.get());
    EXPECT_EQ(sent.substr(0, 17), minor_version == 0 ? "" : "HTTP/1.1 103 Word");
  }
}

TEST(Http1Responder, CutConnectionIsSeenAsAReset) {
  StreamPair pair;
  Http1Responder responder(pair.stream, 1);
  EXPECT_TRUE(run(pair.io, responder.respond(head(200, proxy::ContentLength{10}), Next::request)));
  responder.cut(std::nullopt);
  EXPECT_EQ(wait_end(pair.client.get()), End::reset);
}

}  // namespace
}  // namespace sallyport::tests
