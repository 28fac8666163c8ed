#include "proxy/http2_session.hpp"

#include "tests/proxy/h2_frames.hpp"
#include "tests/proxy/http2_bench.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <list>
#include <string>
#include <vector>

namespace sallyport::tests {
namespace {

using audit::EgressDone;
using audit::EgressRequest;
using proxy::Chunked;
using proxy::H2ClientStream;
using proxy::H2ServerStream;
using testing::HasSubstr;

using Http2Session = Http2Bench;

TEST_F(Http2Session, StreamsOfOneClientShareOneConnectionToTheServer) {
  serve(answer_path);
  Http2Client client(*gateway_, kHost);
  std::list<H2ClientStream> open;
  for (int i = 0; i < 50; ++i) open.push_back(client.open("GET", "/ok/" + std::to_string(i)));  // before any of them is answered
  for (int i = 0; i < 50; ++i, open.pop_front()) {
    EXPECT_EQ(client.finish(open.front()).body.value(), "GET /ok/" + std::to_string(i) + " a.example.com");
  }
  EXPECT_EQ(client.get("/ok/later").body.value(), "GET /ok/later a.example.com");
  EXPECT_EQ(origin_->connections(), 1);
  EXPECT_EQ(gateway_->wait_for<EgressRequest>(51).size(), 51U);
  EXPECT_EQ(gateway_->wait_for<EgressDone>(51).size(), 51U);
}

TEST_F(Http2Session, EachStreamIsDecidedByItself) {
  serve(answer_path);
  Http2Client client(*gateway_, kHost);
  EXPECT_EQ(client.get("/ok/").status, 200);
  auto const refused = client.get("/secret");
  EXPECT_EQ(refused.status, 403);
  EXPECT_EQ(refused.reason, "path_not_allowed");
  EXPECT_EQ(client.get("/ok/").status, 200);
  EXPECT_EQ(origin_->requests(), 2);
}

TEST_F(Http2Session, ClientOfHttp1ReachesAServerThatSpeaksOnlyHttp2) {
  serve(answer_path);
  auto const fd = opened_tunnel(*gateway_, "a.example.com:443");
  TlsPeer client(fd.get(), kHost, gateway_->ca_certificate());
  for (int i = 0; i < 2; ++i) {
    client.send(get("/ok/", kHost));
    EXPECT_THAT(client.receive_until("\r\n\r\n"), HasSubstr("Transfer-Encoding: chunked"));
    EXPECT_THAT(client.receive_until("0\r\n\r\n"), HasSubstr("GET /ok/ a.example.com\r\n"));
  }
  EXPECT_EQ(origin_->connections(), 2) << "one that was refused for its protocol, one for both requests";
}

TEST_F(Http2Session, ClientOfHttp10GetsNoChunks) {
  serve(answer_path);
  auto const fd = opened_tunnel(*gateway_, "a.example.com:443");
  TlsPeer client(fd.get(), kHost, gateway_->ca_certificate());
  client.send("GET /ok/ HTTP/1.0\r\nHost: a.example.com\r\n\r\n");
  auto const answer = client.receive_to_end();
  EXPECT_THAT(answer, testing::Not(HasSubstr("chunked")));
  EXPECT_THAT(answer, testing::EndsWith("\r\n\r\nGET /ok/ a.example.com"));
}

/// Leaves a client behind that is in some state, and kills it.
TEST_F(Http2Session, KilledClientsLeaveNoDescriptorBehind) {
  std::atomic<std::size_t> sent{0};
  serve([&sent](H2ServerStream stream) {
    return stream.request()->head.method == "PUT" ? send_without_end(std::move(stream), sent) : echo_stream(std::move(stream));
  });
  auto const before = gateway_->open_descriptors();
  if (!before) GTEST_SKIP() << "the gateway's descriptors cannot be seen here";
  auto const baseline = *before - 1;  // the file of the system's roots is read and closed when the first server is dialled
  for (int round = 0; round < 20; ++round) {
    Http2Client idle(*gateway_, kHost);
    Http2Client refused(*gateway_, kHost);
    EXPECT_EQ(refused.get("/secret").status, 403);
    Http2Client uploading(*gateway_, kHost);
    auto upload = uploading.open("POST", "/ok/", Chunked{});
    EXPECT_TRUE(uploading.run(upload.write_body("some of it")));
    Http2Client downloading(*gateway_, kHost);
    auto download = downloading.open("PUT", "/ok/");
    EXPECT_EQ(downloading.run(download.read_response_head()).value().status, 200);
    Http2Client done(*gateway_, kHost);
    EXPECT_EQ(done.get("/ok/").status, 200);
  }
  EXPECT_TRUE(gateway_->wait_for_descriptors(baseline)) << *gateway_->open_descriptors() << " instead of " << baseline;
}

struct Attack {
  char const* what;
  std::string block;  // HPACK
  std::string reason;
};

struct Pseudo {
  std::string method = "GET", authority = kHost, path = "/ok/", scheme = "https";
};
std::string block_of(Pseudo const& pseudo, std::string const& more = {}) {
  return h2::field(":method", pseudo.method) + h2::field(":scheme", pseudo.scheme) + h2::field(":authority", pseudo.authority) +
         h2::field(":path", pseudo.path) + more;
}

std::vector<Attack> name_attacks() {
  return {
      {"another name", block_of({.authority = "b.example.com"}), "host_mismatch"},
      {"another name in Host", block_of({}, h2::field("host", "b.example.com")), "bad_request"},
      {"no name but Host", h2::field(":method", "GET") + h2::field(":scheme", "https") + h2::field(":path", "/ok/") + h2::field("host", kHost),
       "bad_request"},
      {"a user", block_of({.authority = "b.example.com@a.example.com"}), "bad_request"},
      {"another port", block_of({.authority = "a.example.com:80"}), "bad_request"},
      {"a line end in the name", block_of({.authority = "a.example.com\r\nX: y"}), "bad_request"},
      {"two names", block_of({}, h2::field(":authority", kHost)), "bad_request"},
      {"a whole URL as path", block_of({.path = "http://b.example.com/ok/"}), "bad_request"},
  };
}

std::vector<Attack> path_attacks() {
  return {
      {"dots", block_of({.path = "/ok/../secret"}), "bad_request"},
      {"escaped dots", block_of({.path = "/ok/%2e%2E/secret"}), "bad_request"},
      {"an escaped slash behind dots", block_of({.path = "/ok/..%2fsecret"}), "bad_request"},
      {"a backslash", block_of({.path = "/ok/..\\secret"}), "bad_request"},
      {"NUL", block_of({.path = "/ok/%00"}), "bad_request"},
      {"a line end", block_of({.path = "/ok/ HTTP/1.1\r\nX: y"}), "bad_request"},
      {"no slash", block_of({.path = "ok/"}), "bad_request"},
      {"a fragment", block_of({.path = "/ok/#/../secret"}), "bad_request"},
  };
}

std::vector<Attack> field_attacks() {
  std::vector<Attack> all = {
      {"lower case method", block_of({.method = "get"}), "method_not_allowed"},
      {"TRACE", block_of({.method = "TRACE"}), "method_not_allowed"},
      {"a line end in the method", block_of({.method = "GET / HTTP/1.1\r\nX: y\r\n\r\nGET"}), "bad_request"},
      {"another method by a field", block_of({}, h2::field("x-http-method-override", "DELETE")), "bad_request"},
      {"upper case name", block_of({}, h2::field("X-Name", "y")), "bad_request"},
      {"a colon in a name", block_of({}, h2::field("x: y\r\nz", "1")), "bad_request"},
      {"a line end in a value", block_of({}, h2::field("x", "y\r\nz: 1")), "bad_request"},
      {"NUL in a value", block_of({}, h2::field("x", std::string("y\0z", 3))), "bad_request"},
      {"a late pseudo field", block_of({}, h2::field("x", "y") + h2::field(":path", "/secret")), "bad_request"},
      {"an unknown pseudo field", block_of({}, h2::field(":host", "b.example.com")), "bad_request"},
      {"two lengths", block_of({.method = "POST"}, h2::field("content-length", "1") + h2::field("content-length", "2")), "bad_request"},
      {"a length of letters", block_of({.method = "POST"}, h2::field("content-length", "0x1")), "bad_request"},
  };
  for (auto const* name : {"connection", "keep-alive", "proxy-connection", "transfer-encoding", "upgrade"}) {
    all.push_back({name, block_of({.method = "POST"}, h2::field(name, "chunked")), "bad_request"});
  }
  all.push_back({"te", block_of({}, h2::field("te", "chunked")), "bad_request"});
  return all;
}

TEST_F(Http2Session, WhatTwoReadersCouldReadInTwoWaysReachesNoServer) {
  serve(answer_path, "  - {name: full, hosts: ['*.example.com'], methods: [GET, POST], paths: ['/ok/**']}\n");
  std::size_t count = 0;
  for (auto const& table : {name_attacks(), path_attacks(), field_attacks()}) {
    for (auto const& attack : table) {
      SCOPED_TRACE(attack.what);
      auto const fd = opened_tunnel(*gateway_, "a.example.com:443");
      TlsPeer client(fd.get(), kHost, gateway_->ca_certificate(), std::string_view("\x02h2", 3));
      client.send(h2::opening() + h2::request(1, attack.block));
      auto const records = gateway_->wait_for<EgressRequest>(++count);
      ASSERT_EQ(records.size(), count);
      EXPECT_EQ(records.back().verdict, "deny");
      EXPECT_EQ(records.back().reason, attack.reason) << records.back().detail;
    }
  }
  EXPECT_EQ(origin_->connections(), 0);
}

}  // namespace
}  // namespace sallyport::tests
