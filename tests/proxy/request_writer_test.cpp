#include "proxy/request_writer.hpp"

#include <gtest/gtest.h>

#include <string>

namespace sallyport::proxy {
namespace {

/// What goes upstream for an absolute-form request.
std::string forwarded(std::string_view wire, UpstreamConnection connection = UpstreamConnection::close) {
  auto const step = parse_request_head(wire);
  auto const* parsed = std::get_if<Parsed<RequestHead>>(&step);
  if (!parsed) return "not parsed";
  auto const target = parse_absolute_target(parsed->head);
  return target ? write_request_head(parsed->head, *target, connection) : target.error().what;
}

TEST(RequestWriter, WritesOriginFormWithTheHostOfTheTarget) {
  EXPECT_EQ(forwarded("GET http://A.Example:80/%7ex?q HTTP/1.1\r\nUser-Agent: t\r\nHost: a.example\r\nAccept:*/* \r\n\r\n"),
            "GET /~x?q HTTP/1.1\r\nHost: a.example\r\nUser-Agent: t\r\nAccept: */*\r\nConnection: close\r\n\r\n");
  EXPECT_EQ(forwarded("GET http://[::1]:8080 HTTP/1.1\r\nHost: [::1]:8080\r\n\r\n", UpstreamConnection::keep_alive),
            "GET / HTTP/1.1\r\nHost: [::1]:8080\r\nConnection: keep-alive\r\n\r\n");
}

TEST(RequestWriter, KeepsHttp10ForAClientThatCannotReadChunks) {
  EXPECT_EQ(forwarded("GET http://a.example/ HTTP/1.0\r\n\r\n"),
            "GET / HTTP/1.0\r\nHost: a.example\r\nConnection: close\r\n\r\n");
}

TEST(RequestWriter, DropsHopByHopFields) {
  EXPECT_EQ(
      forwarded("GET http://a.example/ HTTP/1.1\r\nHost: a.example\r\nConnection: X-Hop, keep-alive\r\nx-hop: 1\r\n"
                "Keep-Alive: timeout=5\r\nProxy-Authorization: Basic x\r\nProxy-Connection: keep-alive\r\nTE: trailers\r\n"
                "Upgrade: h2c\r\nHTTP2-Settings: AAMAAABk\r\nX-Kept: 1\r\n\r\n"),
      "GET / HTTP/1.1\r\nHost: a.example\r\nX-Kept: 1\r\nConnection: close\r\n\r\n");
}

TEST(RequestWriter, WritesFramingAnew) {
  EXPECT_EQ(forwarded("PUT http://a.example/ HTTP/1.1\r\nHost: a.example\r\nCONTENT-LENGTH: 0007\r\n\r\n"),
            "PUT / HTTP/1.1\r\nHost: a.example\r\nContent-Length: 7\r\nConnection: close\r\n\r\n");
  EXPECT_EQ(forwarded("PUT http://a.example/ HTTP/1.1\r\nHost: a.example\r\ntransfer-encoding: CHUNKED\r\n\r\n"),
            "PUT / HTTP/1.1\r\nHost: a.example\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n");
  EXPECT_EQ(forwarded("POST http://a.example/ HTTP/1.1\r\nHost: a.example\r\nContent-Length: 0\r\n\r\n"),
            "POST / HTTP/1.1\r\nHost: a.example\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
}

TEST(RequestWriter, AConnectionFieldCannotTakeHostOrFramingAway) {
  EXPECT_EQ(forwarded("PUT http://a.example/ HTTP/1.1\r\nHost: a.example\r\nContent-Length: 7\r\n"
                      "Expect: 100-continue\r\nConnection: host, content-length, expect\r\n\r\n"),
            "PUT / HTTP/1.1\r\nHost: a.example\r\nExpect: 100-continue\r\nContent-Length: 7\r\nConnection: close\r\n\r\n");
}

TEST(RequestWriter, PassesAnExpectationOnOnlyIfItCounts) {
  EXPECT_EQ(forwarded("PUT http://a.example/ HTTP/1.1\r\nHost: a.example\r\nExpect: 100-continue\r\n\r\n"),
            "PUT / HTTP/1.1\r\nHost: a.example\r\nExpect: 100-continue\r\nConnection: close\r\n\r\n");
  EXPECT_EQ(forwarded("PUT http://a.example/ HTTP/1.0\r\nExpect: 100-continue\r\n\r\n"),
            "PUT / HTTP/1.0\r\nHost: a.example\r\nConnection: close\r\n\r\n");
}

std::string returned(std::string_view wire, std::string_view method = "GET",
                     ClientConnection connection = ClientConnection::keep_alive) {
  auto const step = parse_response_head(wire, method);
  auto const* parsed = std::get_if<Parsed<ResponseHead>>(&step);
  return parsed ? write_response_head(parsed->head, connection) : "not parsed";
}

TEST(ResponseWriter, WritesTheHeadWithOurConnection) {
  EXPECT_EQ(returned("HTTP/1.0 200 Fine\r\nServer: s\r\nContent-Length: 05\r\nConnection: close\r\n\r\n"),
            "HTTP/1.1 200 Fine\r\nServer: s\r\nContent-Length: 5\r\nConnection: keep-alive\r\n\r\n");
  EXPECT_EQ(returned("HTTP/1.1 200\r\n\r\n", "GET", ClientConnection::close), "HTTP/1.1 200 \r\nConnection: close\r\n\r\n");
}

TEST(ResponseWriter, DropsHopByHopFieldsAndReasonsThatAreNotOurs) {
  EXPECT_EQ(returned("HTTP/1.1 200 OK\r\nsallyport-REASON: allowed\r\nProxy-Authenticate: Basic\r\nKeep-Alive: x\r\n"
                     "Upgrade: h2c\r\nTransfer-Encoding: chunked\r\nX: y\r\n\r\n"),
            "HTTP/1.1 200 OK\r\nX: y\r\nTransfer-Encoding: chunked\r\nConnection: keep-alive\r\n\r\n");
}

TEST(ResponseWriter, AnnouncesALengthWithoutABodyWhereThatMeansSomething) {
  EXPECT_EQ(returned("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n", "HEAD"),
            "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nConnection: keep-alive\r\n\r\n");
  EXPECT_EQ(returned("HTTP/1.1 304 Not Modified\r\nContent-Length: 5\r\n\r\n"),
            "HTTP/1.1 304 Not Modified\r\nContent-Length: 5\r\nConnection: keep-alive\r\n\r\n");
  EXPECT_EQ(returned("HTTP/1.1 204 No Content\r\nContent-Length: 5\r\n\r\n"),
            "HTTP/1.1 204 No Content\r\nConnection: keep-alive\r\n\r\n");
}

}  // namespace
}  // namespace sallyport::proxy
