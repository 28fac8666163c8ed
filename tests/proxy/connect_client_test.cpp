#include "proxy/connect_client.hpp"

#include "tests/proxy/stream_pair.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace sallyport::proxy {
namespace {

using testing::HasSubstr;
using testing::Not;

/// `pair.client` plays the proxy, which answers before it is asked: the answer waits in the kernel.
struct ConnectClient : testing::Test {
  tests::StreamPair pair;
  policies::UpstreamProxy proxy = policies::parse_upstream_proxy("http://me:hunter2@proxy.example:3128").value();

  Result<void> open(std::string const& answer) {
    tests::send_all(pair.client.get(), answer);
    return tests::run(pair.io, open_by_connect(pair.stream, proxy, "a.example:443"));
  }
  std::string sent() {
    pair.stream.shutdown_send();
    return tests::receive_to_end(pair.client.get());
  }
};

TEST_F(ConnectClient, AsksForTheAuthorityWithItsCredentials) {
  EXPECT_TRUE(open("HTTP/1.1 200 Connection established\r\nVia: x\r\n\r\n"));
  EXPECT_EQ(sent(),
            "CONNECT a.example:443 HTTP/1.1\r\nHost: a.example:443\r\nProxy-Authorization: Basic bWU6aHVudGVyMg==\r\n\r\n");
}

TEST_F(ConnectClient, WithoutCredentialsSendsNone) {
  proxy.user.clear();
  EXPECT_TRUE(open("HTTP/1.0 200 OK\r\n\r\n"));
  EXPECT_THAT(sent(), Not(HasSubstr("Authorization")));
}

TEST_F(ConnectClient, WhatFollowsTheHeadIsTheTunnels) {
  EXPECT_TRUE(open("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nSSH-2"));
  EXPECT_EQ(pair.stream.buffered(), "SSH-2");
}

TEST_F(ConnectClient, ARefusalIsQuotedWithoutThePassword) {
  auto const refused = open("HTTP/1.1 403 Not\x1b[31m here\r\nContent-Length: 0\r\n\r\n");
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, Code::invalid) << "a control character in a head: " << refused.error().what;
  tests::StreamPair other;
  tests::send_all(other.client.get(), "HTTP/1.1 407 Proxy Authentication Required\r\n\r\n");
  auto const wanted = tests::run(other.io, open_by_connect(other.stream, proxy, "a.example:443"));
  ASSERT_FALSE(wanted);
  EXPECT_EQ(wanted.error().code, Code::denied);
  EXPECT_THAT(wanted.error().what, HasSubstr("407 'Proxy Authentication Required'"));
  EXPECT_THAT(wanted.error().what, Not(HasSubstr("hunter2")));
}

TEST_F(ConnectClient, WhatIsNoHttpOrEndsEarlyIsAnError) {
  EXPECT_EQ(open("SSH-2.0-OpenSSH\r\n\r\n").error().code, Code::invalid);
  tests::StreamPair other;
  tests::send_all(other.client.get(), "HTTP/1.1 200");
  tests::shutdown_send(other.client.get());
  EXPECT_EQ(tests::run(other.io, open_by_connect(other.stream, proxy, "a.example:443")).error().code, Code::closed);
}

}  // namespace
}  // namespace sallyport::proxy
