#include "proxy/request_head.hpp"

#include <gtest/gtest.h>

#include <string>

namespace sallyport::proxy {
namespace {

using namespace std::string_literals;

constexpr std::string_view kGet = "GET http://a.example/x?y HTTP/1.1\r\nHost: a.example\r\nAccept: */*\r\n\r\n";

/// A head with a good request line and Host, and `fields` behind them.
std::string with_fields(std::string_view fields) {
  return "POST /x HTTP/1.1\r\nHost: a\r\n" + std::string(fields) + "\r\n";
}

RequestHead ok(std::string_view wire) {
  auto const step = parse_request_head(wire);
  if (auto const* error = std::get_if<Error>(&step)) ADD_FAILURE() << wire << ": " << error->what;
  auto const* parsed = std::get_if<Parsed<RequestHead>>(&step);
  EXPECT_TRUE(parsed) << wire;
  return parsed ? parsed->head : RequestHead{};
}

void bad(std::string_view wire, Code code = Code::invalid) {
  auto const step = parse_request_head(wire);
  ASSERT_TRUE(std::holds_alternative<Error>(step)) << wire.substr(0, 120);
  EXPECT_EQ(std::get<Error>(step).code, code) << std::get<Error>(step).what;
}

TEST(RequestHead, TakesARequestApart) {
  auto const head = ok(kGet);
  EXPECT_EQ(head.method, "GET");
  EXPECT_EQ(head.target, "http://a.example/x?y");
  EXPECT_EQ(head.minor_version, 1);
  EXPECT_EQ(head.fields, (std::vector<Field>{{"Host", "a.example"}, {"Accept", "*/*"}}));
  EXPECT_EQ(head.body, BodyKind{NoBody{}});
  EXPECT_TRUE(head.keep_alive);
  EXPECT_FALSE(head.expect_continue);
  EXPECT_EQ(head.field("HOST"), "a.example");
}

TEST(RequestHead, AcceptsTheRequestLinesOfRealClients) {
  EXPECT_EQ(ok("CONNECT a.example:443 HTTP/1.1\r\nHost: a.example:443\r\n\r\n").target, "a.example:443");
  EXPECT_EQ(ok("CONNECT a.example:443 HTTP/1.0\r\n\r\n").minor_version, 0);
  EXPECT_EQ(ok("OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n").target, "*");
  EXPECT_EQ(ok("get / HTTP/1.1\r\nHost: a\r\n\r\n").method, "get");  // another method than GET, for the policy to decide
  EXPECT_EQ(ok("M-SEARCH / HTTP/1.1\r\nHost: a\r\n\r\n").method, "M-SEARCH");
}

TEST(RequestHead, RefusesBadRequestLines) {
  bad("GET /\r\n\r\n");
  bad("GET / HTTP/0.9\r\n\r\n");
  bad("GET / HTTP/1.2\r\nHost: a\r\n\r\n");
  bad("GET / HTTP/2.0\r\nHost: a\r\n\r\n");
  bad("GET / http/1.1\r\nHost: a\r\n\r\n");
  bad("GET / HTTP/1.1 \r\nHost: a\r\n\r\n");
  bad("GET / HTTP/1.11\r\nHost: a\r\n\r\n");
  bad("GET / HTTP/1.x\r\nHost: a\r\n\r\n");
  bad("GET  / HTTP/1.1\r\nHost: a\r\n\r\n");
  bad("GET /  HTTP/1.1\r\nHost: a\r\n\r\n");
  bad("GET\t/\tHTTP/1.1\r\nHost: a\r\n\r\n");
  bad(" GET / HTTP/1.1\r\nHost: a\r\n\r\n");
  bad("GET /a b HTTP/1.1\r\nHost: a\r\n\r\n");
  bad("GET HTTP/1.1\r\nHost: a\r\n\r\n");
  bad("GE\"T / HTTP/1.1\r\nHost: a\r\n\r\n");
  bad("GET /\x01 HTTP/1.1\r\nHost: a\r\n\r\n");
  bad("GET /\0 HTTP/1.1\r\nHost: a\r\n\r\n"s);
  bad("GET /\x80 HTTP/1.1\r\nHost: a\r\n\r\n");
  bad("GET /\rX HTTP/1.1\r\nHost: a\r\n\r\n");
}

TEST(RequestHead, RefusesBadFields) {
  bad(with_fields("X : a\r\n"));
  bad(with_fields("X: a\r\n folded\r\n"));
  bad(with_fields(" X: a\r\n"));
  bad(with_fields("X: a\rb\r\n"));
  bad(with_fields("X: a\nY: b\r\n"));
  bad(with_fields("X: a\0b\r\n"s));
  bad(with_fields("no colon\r\n"));
  bad(with_fields("Content-Length: 5\r\nTransfer-Encoding: chunked\r\n"));
  bad(with_fields("Content-Length: 5\r\nContent-Length: 5\r\n"));
  bad(with_fields("Content-Length: -5\r\n"));
  bad(with_fields("Transfer-Encoding: xchunked\r\n"));
  bad(with_fields("Transfer-Encoding:\tchunked, identity\r\n"));
  bad(with_fields("Expect: 200-ok\r\n"));
}

TEST(RequestHead, WantsOneHostAndOneOfEveryFieldThatHasOneMeaning) {
  bad("GET / HTTP/1.1\r\n\r\n");
  bad("GET / HTTP/1.1\r\nHost: a\r\nHost: a\r\n\r\n");
  bad("GET / HTTP/1.0\r\nHost: a\r\nhost: b\r\n\r\n");
  bad(with_fields("Content-Type: a/b\r\ncontent-type: c/d\r\n"));
  bad(with_fields("Authorization: a\r\nAuthorization: b\r\n"));
  bad(with_fields("Proxy-Authorization: a\r\nProxy-Authorization: a\r\n"));
  ok(with_fields("Accept: a/b\r\nAccept: c/d\r\n"));
}

TEST(RequestHead, RefusesFieldsThatAskForAnotherMethod) {
  bad(with_fields("X-HTTP-Method-Override: DELETE\r\n"));
  bad(with_fields("x-http-method: PUT\r\n"));
  bad(with_fields("X-Method-Override: post\r\n"));
  bad(with_fields("X-HTTP-Method-Override: POST\r\nX-HTTP-Method-Override: DELETE\r\n"));
  ok(with_fields("X-HTTP-Method-Override: POST\r\n"));
}

TEST(RequestHead, KnowsWhatTheClientWantsOfTheConnection) {
  EXPECT_FALSE(ok(with_fields("Connection: close\r\n")).keep_alive);
  EXPECT_FALSE(ok("GET / HTTP/1.0\r\n\r\n").keep_alive);
  EXPECT_TRUE(ok("GET / HTTP/1.0\r\nConnection: Keep-Alive\r\n\r\n").keep_alive);
  EXPECT_TRUE(ok(with_fields("Expect: 100-Continue\r\nContent-Length: 3\r\n")).expect_continue);
  EXPECT_FALSE(ok("POST / HTTP/1.0\r\nExpect: 100-continue\r\n\r\n").expect_continue);
}

TEST(RequestHead, BoundsTheHead) {
  ok("GET /" + std::string(limits::kMaxTargetBytes - 1, 'x') + " HTTP/1.1\r\nHost: a\r\n\r\n");
  bad("GET /" + std::string(limits::kMaxTargetBytes, 'x') + " HTTP/1.1\r\nHost: a\r\n\r\n", Code::limit);
  bad(with_fields("X: " + std::string(limits::kMaxHeadBytes, 'x') + "\r\n"), Code::limit);
  std::string thousand;
  for (int i = 0; i < 1000; ++i) thousand += "X: y\r\n";
  bad(with_fields(thousand), Code::limit);
}

TEST(RequestHead, EverySplitGivesTheSameHead) {
  std::string const wire = with_fields("Transfer-Encoding: chunked\r\n");
  std::string const followed = wire + "0\r\n\r\n";
  for (std::size_t cut = 0; cut < wire.size(); ++cut) {
    EXPECT_TRUE(std::holds_alternative<NeedMore>(parse_request_head(wire.substr(0, cut)))) << cut;
  }
  for (std::size_t end = wire.size(); end <= followed.size(); ++end) {
    auto const step = parse_request_head(std::string_view(followed).substr(0, end));
    ASSERT_TRUE(std::holds_alternative<Parsed<RequestHead>>(step)) << end;
    EXPECT_EQ(std::get<Parsed<RequestHead>>(step).head_bytes, wire.size());
    EXPECT_EQ(std::get<Parsed<RequestHead>>(step).head.body, BodyKind{Chunked{}});
  }
}

TEST(RequestHead, PipelinedRequestsAreReadOneByOne) {
  std::string const first = "GET /1 HTTP/1.1\r\nHost: a\r\n\r\n";
  auto const step = parse_request_head(first + "GET /2 HTTP/1.1\r\nHost: b\r\n\r\n");
  ASSERT_TRUE(std::holds_alternative<Parsed<RequestHead>>(step));
  EXPECT_EQ(std::get<Parsed<RequestHead>>(step).head_bytes, first.size());
  EXPECT_EQ(std::get<Parsed<RequestHead>>(step).head.field("host"), "a");
}

ResponseHead answer(std::string_view wire, std::string_view method = "GET") {
  auto const step = parse_response_head(wire, method);
  if (auto const* error = std::get_if<Error>(&step)) ADD_FAILURE() << wire << ": " << error->what;
  auto const* parsed = std::get_if<Parsed<ResponseHead>>(&step);
  return parsed ? parsed->head : ResponseHead{};
}

void bad_answer(std::string_view wire) {
  EXPECT_TRUE(std::holds_alternative<Error>(parse_response_head(wire, "GET"))) << wire;
}

TEST(ResponseHead, TakesAResponseApart) {
  auto const head = answer("HTTP/1.1 404 Not Found\r\nContent-Length: 5\r\n\r\nabcde");
  EXPECT_EQ(head.status, 404);
  EXPECT_EQ(head.reason_phrase, "Not Found");
  EXPECT_EQ(head.body, BodyKind{ContentLength{5}});
  EXPECT_TRUE(head.keep_alive);
  EXPECT_EQ(head.field("content-length"), "5");
  EXPECT_EQ(answer("HTTP/1.1 200 \r\n\r\n").reason_phrase, "");
  EXPECT_EQ(answer("HTTP/1.1 200\r\n\r\n").status, 200);
  EXPECT_EQ(answer("HTTP/1.1 100 Continue\r\n\r\n").body, BodyKind{NoBody{}});
  EXPECT_EQ(answer("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n", "HEAD").body, BodyKind{NoBody{}});
}

TEST(ResponseHead, WithoutALengthEndsTheConnection) {
  EXPECT_FALSE(answer("HTTP/1.1 200 OK\r\n\r\n").keep_alive);
  EXPECT_FALSE(answer("HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 0\r\n\r\n").keep_alive);
  EXPECT_FALSE(answer("HTTP/1.0 200 OK\r\nContent-Length: 0\r\n\r\n").keep_alive);
}

TEST(ResponseHead, RefusesBadStatusLinesAndFraming) {
  bad_answer("HTTP/1.1 20 OK\r\n\r\n");
  bad_answer("HTTP/1.1 2000 OK\r\n\r\n");
  bad_answer("HTTP/1.1 -20 OK\r\n\r\n");
  bad_answer("HTTP/1.1 099 OK\r\n\r\n");
  bad_answer("HTTP/1.1  200 OK\r\n\r\n");
  bad_answer("HTTP/1.1\t200 OK\r\n\r\n");
  bad_answer("HTTP/1.2 200 OK\r\n\r\n");
  bad_answer("HTTP/1.1\r\n\r\n");
  bad_answer("HTTP/1.1 200 O\0K\r\n\r\n"s);
  bad_answer("HTTP/1.1 200 O\rK\r\n\r\n");
  bad_answer("HTTP/1.1 200 OK\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n");
  bad_answer("HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\n");
  bad_answer("HTTP/1.0 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n");
  bad_answer("HTTP/1.1 200 OK\r\nX: a\r\n b\r\n\r\n");
}

TEST(ResponseHead, EverySplitGivesTheSameHead) {
  std::string const wire = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nX: y\r\n\r\n";
  for (std::size_t cut = 0; cut < wire.size(); ++cut) {
    EXPECT_TRUE(std::holds_alternative<NeedMore>(parse_response_head(wire.substr(0, cut), "GET"))) << cut;
  }
  EXPECT_EQ(answer(wire + "ab").body, BodyKind{ContentLength{2}});
}

}  // namespace
}  // namespace sallyport::proxy
