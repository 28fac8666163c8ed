#include "proxy/http1_responder.hpp"

#include "tests/proxy/stream_pair.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <utility>

namespace sallyport::tests {
namespace {

using proxy::Http1Responder;
using proxy::Next;
using testing::HasSubstr;
using testing::StartsWith;

using namespace std::chrono_literals;

/// Whether `operation` ended before `patience` was over.
awaitable<bool> within(std::chrono::milliseconds patience, awaitable<void> operation) {
  using namespace asio::experimental::awaitable_operators;
  auto const done = co_await (std::move(operation) || sleep_for(patience));
  co_return done.index() == 0;
}

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
  EXPECT_TRUE(run(pair.io, responder.respond(head(200, proxy::Chunked{}), Next::request, proxy::BodyComes::later)));
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
  EXPECT_TRUE(run(pair.io, responder.respond(head(200, proxy::ContentLength{10}), Next::request, proxy::BodyComes::later)));
  responder.cut(std::nullopt);
  EXPECT_EQ(wait_end(pair.client.get()), End::reset);
}

TEST(Http1Responder, ClientThatSendsNoMoreAndGetsNothingIsGone) {
  StreamPair pair;
  proxy::Activity activity;
  Http1Responder responder(pair.stream, 1, {1ms, 20ms});
  auto const gone_within = [&](std::chrono::milliseconds patience) {
    return run(pair.io, within(patience, responder.wait_until_given_up(activity)));
  };
  EXPECT_FALSE(gone_within(100ms)) << "a client that may still send is waited for";
  shutdown_send(pair.client.get());
  activity.touch();
  EXPECT_TRUE(gone_within(20s));
  EXPECT_GE(std::chrono::steady_clock::now() - activity.last(), 20ms) << "what moves shows that it is there";
}

}  // namespace
}  // namespace sallyport::tests
