#include "cli/policy_request.hpp"

#include <gtest/gtest.h>

namespace sallyport::cli {
namespace {

using policies::Request;
using policies::Scheme;

Request ok(std::string_view method, std::string_view url) {
  auto const request = parse_request(method, url);
  EXPECT_TRUE(request) << url << ": " << (request ? "" : request.error().what);
  return request.value();
}

TEST(ParseRequest, PlainHttpHasMethodAndPath) {
  auto const request = ok("GET", "http://Example.com/a%2Db?q=1");
  EXPECT_EQ(request.host.str(), "example.com");
  EXPECT_EQ(request.port, 80);
  EXPECT_EQ(request.scheme, Scheme::http);
  EXPECT_EQ(request.method, "GET");
  ASSERT_TRUE(request.path);
  EXPECT_EQ(request.path->str(), "/a-b?q=1");
}

TEST(ParseRequest, HttpsIsARequestInsideTls) {
  auto const request = ok("POST", "https://example.com:8443/x");
  EXPECT_EQ(request.port, 8443);
  EXPECT_EQ(request.scheme, Scheme::https);
  EXPECT_EQ(request.method, "POST");
  EXPECT_EQ(request.path->str(), "/x");
}

TEST(ParseRequest, AWebSocketIsARequestThatAsksForMore) {
  auto const plain = parse_request("GET", "ws://a.example/live").value();
  EXPECT_EQ(plain.scheme, policies::Scheme::http);
  EXPECT_EQ(plain.port, 80);
  EXPECT_EQ(plain.upgrade, policies::Upgrade::websocket);
  auto const secure = parse_request("GET", "wss://a.example/live").value();
  EXPECT_EQ(secure.scheme, policies::Scheme::https);
  EXPECT_EQ(secure.port, 443);
  EXPECT_EQ(secure.upgrade, policies::Upgrade::websocket);
  EXPECT_EQ(parse_request("GET", "https://a.example/live").value().upgrade, policies::Upgrade::none);
}

TEST(ParseRequest, AMissingPathIsTheRoot) {
  EXPECT_EQ(ok("GET", "http://example.com").path->str(), "/");
  EXPECT_EQ(ok("GET", "http://example.com?q").path->str(), "/?q");
  EXPECT_EQ(ok("GET", "http://[::1]:8080/").host.str(), "::1");
}

TEST(ParseRequest, ConnectIsATunnel) {
  auto const request = ok("CONNECT", "example.com:443");
  EXPECT_EQ(request.port, 443);
  EXPECT_EQ(request.scheme, Scheme::tunnel);
}

TEST(ParseRequest, RefusesWhatTheProxyWouldRefuse) {
  for (auto url :
       {"", "example.com", "ftp://example.com/", "http://", "http:///x", "https://user@example.com/",
        "https://example.com:0/", "https://example.com:00443/", "https://example.com:65536/", "https://a b/",
        "http://example.com/../x", "http://example.com/#x", "https://2130706433/", "https://evil.com\\@github.com/"}) {
    EXPECT_FALSE(parse_request("GET", url)) << url;
  }
  for (auto authority :
       {"example.com", "example.com:", "example.com:0443", "https://example.com:443", "u@example.com:443"}) {
    EXPECT_FALSE(parse_request("CONNECT", authority)) << authority;
  }
}

}  // namespace
}  // namespace sallyport::cli
