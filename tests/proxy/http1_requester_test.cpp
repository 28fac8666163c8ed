#include "proxy/http1_requester.hpp"

#include "tests/proxy/stream_pair.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace sallyport::tests {
namespace {

using proxy::After;
using proxy::Http1Requester;
using testing::HasSubstr;
using testing::StartsWith;

/// The gateway is the client here: `pair.client` plays the server.
struct Http1RequesterTest : testing::Test {
  StreamPair pair;
  proxy::HttpTarget const target{policies::CanonicalHost::from("web.example.com").value(), 80,
                                 policies::CanonicalPath::from("/ok").value()};
  proxy::RequestHead head;
  Http1Requester requester{pair.stream};

  Http1RequesterTest() { head.method = "GET"; }

  /// What read_head() makes of `answer`, once the request went out.
  Result<proxy::ResponseHead> head_of(std::string const& answer) {
    EXPECT_TRUE(run(pair.io, requester.request(head, target)));
    send_all(pair.client.get(), answer);
    return run(pair.io, requester.read_head());
  }
  std::string rest() { return std::string(run(pair.io, requester.response_body().read()).value().content); }
};

TEST_F(Http1RequesterTest, WritesTheRequestWithItsFraming) {
  head.method = "POST";
  head.body = proxy::Chunked{};
  EXPECT_TRUE(run(pair.io, requester.request(head, target)));
  proxy::BodyPiece const all{"hello", true};
  EXPECT_TRUE(run(pair.io, requester.body().write(all, {})));
  pair.stream.shutdown_send();
  auto const sent = receive_to_end(pair.client.get());
  EXPECT_THAT(sent, StartsWith("POST /ok HTTP/1.1\r\nHost: web.example.com\r\n"));
  EXPECT_THAT(sent, HasSubstr("Connection: keep-alive\r\n"));
  EXPECT_THAT(sent, HasSubstr("\r\n\r\n5\r\nhello\r\n0\r\n\r\n"));
}

TEST_F(Http1RequesterTest, InterimHeadsComeInFrontOfTheFinalOne) {
  EXPECT_EQ(head_of("HTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok").value().status, 103);
  EXPECT_EQ(run(pair.io, requester.read_head()).value().status, 200);
  EXPECT_EQ(rest(), "ok");
  EXPECT_EQ(requester.after(), After::reusable);
}

TEST_F(Http1RequesterTest, ConnectionThatServesNoFurtherRequestIsNotReusable) {
  for (std::string const fields : {"Connection: close\r\nContent-Length: 2\r\n", ""}) {
    StreamPair other;
    Http1Requester one(other.stream);
    EXPECT_TRUE(run(other.io, one.request(head, target)));
    send_all(other.client.get(), "HTTP/1.1 200 OK\r\n" + fields + "\r\nok");
    EXPECT_TRUE(run(other.io, one.read_head()));
    EXPECT_EQ(run(other.io, one.response_body().read()).value().content, "ok");
    EXPECT_EQ(one.after(), After::close) << fields;
  }
}

TEST_F(Http1RequesterTest, BytesBehindAResponseForbidReuse) {
  EXPECT_EQ(head_of("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nokHTTP/1.1 200 OK\r\n\r\n").value().status, 200);
  EXPECT_EQ(rest(), "ok");
  EXPECT_EQ(requester.after(), After::close);
}

TEST_F(Http1RequesterTest, WhatIsNoHttpIsAnError) { EXPECT_FALSE(head_of("SSH-2.0-x\r\n\r\n")); }

}  // namespace
}  // namespace sallyport::tests
