#include "proxy/intercept.hpp"

#include "tests/proxy/client_hello_samples.hpp"
#include "tests/proxy/gateway_clients.hpp"
#include "tests/proxy/tls_peer.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <optional>
#include <semaphore>
#include <string>
#include <vector>

namespace sallyport::tests {
namespace {

using audit::EgressDone;
using audit::EgressRequest;
using testing::HasSubstr;
using testing::StartsWith;

constexpr char kFullRules[] =
    "  - {name: full, hosts: ['*.example.com'], methods: [GET, POST], paths: ['/ok/**']}\n"
    "  - {name: bytes, hosts: [raw.example.net], ports: [22], inspect: raw}\n";

/// Answers requests with their heads until the client is gone.
void reflect_tls(SSL_CTX* context, int fd) {
  TlsPeer peer(context, fd);
  for (auto head = peer.receive_until("\r\n\r\n"); head.ends_with("\r\n\r\n"); head = peer.receive_until("\r\n\r\n")) {
    peer.send("HTTP/1.1 200 OK\r\nContent-Length: " + std::to_string(head.size()) + "\r\n\r\n" + head);
  }
}

class Intercept : public testing::Test {
 protected:
  void serve(TestAuthority::Leaf const& leaf) {
    context_ = authority_.server(leaf);
    origin_.emplace([this](int fd) { reflect_tls(context_.get(), fd); });
    lead_here();
  }
  /// A gateway that leads to the origin and trusts the test's authority.
  void lead_here() {
    auto const to = ":*:127.0.0.1:" + std::to_string(origin_->port());
    gateway_.emplace(kFullRules, std::vector{"a.example.com" + to, "b.example.com" + to}, Acks::at_once, authority_.pem());
  }
  UniqueFd tunnel(std::string const& host = "a.example.com") { return opened_tunnel(*gateway_, host + ":443"); }
  std::string ask_once(std::string const& request, std::string const& host = "a.example.com") {
    auto const fd = tunnel(host);
    TlsPeer client(fd.get(), host, gateway_->ca_certificate());
    EXPECT_TRUE(client.ready()) << client.error();
    client.send(request);
    return client.receive_to_end();
  }

  TestAuthority authority_;
  proxy::SslContextPtr context_;
  std::optional<Origin> origin_;
  std::optional<GatewayHarness> gateway_;
};

TEST_F(Intercept, EachRequestInsideIsDecidedAndRecordedByItself) {
  serve({.names = {"*.example.com"}});
  auto const fd = tunnel();
  TlsPeer client(fd.get(), "a.example.com", gateway_->ca_certificate());
  ASSERT_TRUE(client.ready()) << client.error();
  client.send(get("/ok/%7E1", "a.example.com"));
  EXPECT_THAT(client.receive_until("\r\n\r\n"), StartsWith("HTTP/1.1 200 OK\r\n"));
  EXPECT_THAT(client.receive_until("\r\n\r\n"), StartsWith("GET /ok/~1 HTTP/1.1\r\nHost: a.example.com\r\n"));
  client.send(get("/secret", "a.example.com"));
  auto const refusal = client.receive_to_end();
  EXPECT_THAT(refusal, StartsWith("HTTP/1.1 403 "));
  EXPECT_THAT(refusal, HasSubstr("Sallyport-Reason: path_not_allowed\r\n"));
  auto const requests = gateway_->wait_for<EgressRequest>(2);
  ASSERT_EQ(requests.size(), 2U);
  EXPECT_EQ(requests[0].scheme, "https");
  EXPECT_EQ(requests[0].sni, "a.example.com");
  EXPECT_EQ(requests[0].path, "/ok/~1");
  EXPECT_EQ(requests[0].verdict, "allow");
  EXPECT_EQ(requests[1].path, "/secret");
  EXPECT_EQ(requests[1].reason, "path_not_allowed");
}

TEST_F(Intercept, RequestsOfOneConnectionShareOneToTheServer) {
  serve({.names = {"*.example.com"}});
  auto const fd = tunnel();
  TlsPeer client(fd.get(), "a.example.com", gateway_->ca_certificate());
  for (int i = 0; i < 3; ++i) {
    client.send(get("/ok/", "a.example.com"));
    EXPECT_THAT(client.receive_until("\r\n\r\n"), StartsWith("HTTP/1.1 200 OK\r\n"));
    client.receive_until("\r\n\r\n");
  }
  EXPECT_EQ(origin_->connections(), 1);
  EXPECT_EQ(gateway_->wait_for<EgressRequest>(3).size(), 3U);
}

/// Server-sent events: the next one is sent when the client has the one before, so whoever keeps one back keeps all.
TEST_F(Intercept, EventsOfAStreamPassOneByOneInUnderFiveMilliseconds) {
  constexpr int kEvents = 20;
  using Clock = std::chrono::steady_clock;
  std::counting_semaphore<> taken(0);
  std::atomic<Clock::time_point> sent_at{Clock::now()};
  context_ = authority_.server({.names = {"*.example.com"}});
  origin_.emplace([&](int fd) {
    TlsPeer peer(context_.get(), fd);
    peer.receive_until("\r\n\r\n");
    peer.send("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n");
    for (int i = 0; i < kEvents; ++i) {
      sent_at = Clock::now();
      peer.send("data: " + std::to_string(i) + "\n\n");
      if (!taken.try_acquire_for(kPatience)) return;
    }
  });
  lead_here();
  auto const fd = tunnel();
  TlsPeer client(fd.get(), "a.example.com", gateway_->ca_certificate());
  client.send(get("/ok/events", "a.example.com"));
  EXPECT_THAT(client.receive_until("\r\n\r\n"), StartsWith("HTTP/1.1 200 OK\r\n"));
  auto fastest = Clock::duration::max();
  for (int i = 0; i < kEvents; ++i) {
    ASSERT_EQ(client.receive_until("\n\n"), "data: " + std::to_string(i) + "\n\n");
    fastest = std::min(fastest, Clock::now() - sent_at.load());
    taken.release();
  }
  EXPECT_LT(fastest, std::chrono::milliseconds(5)) << "the fastest of them: a busy machine delays some, a buffer all";
}

TEST_F(Intercept, HostMustBeTheNameOfTheTunnel) {
  serve({.names = {"*.example.com"}});
  EXPECT_THAT(ask_once(get("/ok/", "b.example.com")), HasSubstr("Sallyport-Reason: host_mismatch\r\n"));
  EXPECT_EQ(gateway_->only_request().reason, "host_mismatch");
  EXPECT_EQ(origin_->connections(), 0);
}

struct BadServer {
  std::string reason;
  TestAuthority::Leaf leaf;
};

TEST_F(Intercept, ServersThatCannotBeTrustedAreRefusedWithTheReason) {
  using std::chrono::hours;
  using Signer = TestAuthority::Leaf::Signer;
  for (auto const& [reason, leaf] : std::vector<BadServer>{
           {"upstream_cert_expired", {.names = {"a.example.com"}, .ends_in = hours(-1)}},
           {"upstream_cert_not_yet_valid", {.names = {"a.example.com"}, .began_ago = hours(-1)}},
           {"upstream_wrong_name", {.names = {"b.example.com"}}},
           {"upstream_self_signed", {.names = {"a.example.com"}, .signer = Signer::itself}},
       }) {
    SCOPED_TRACE(reason);
    serve(leaf);
    auto const reply = ask_once(get("/ok/", "a.example.com"));
    EXPECT_THAT(reply, StartsWith("HTTP/1.1 502 "));
    EXPECT_THAT(reply, HasSubstr("Sallyport-Reason: " + reason + "\r\n"));
    auto const done = gateway_->wait_for<EgressDone>(1);
    ASSERT_EQ(done.size(), 1U);
    EXPECT_EQ(done[0].reason, reason);
    EXPECT_EQ(gateway_->only_request().verdict, "allow");
  }
}

TEST_F(Intercept, ServerOfAnUnknownAuthorityIsRefused) {
  TestAuthority const stranger("Somebody else");
  context_ = stranger.server({.names = {"a.example.com"}});
  origin_.emplace([this](int fd) { reflect_tls(context_.get(), fd); });
  lead_here();
  EXPECT_THAT(ask_once(get("/ok/", "a.example.com")), HasSubstr("Sallyport-Reason: upstream_untrusted\r\n"));
}

TEST_F(Intercept, ServerThatSpeaksNoTlsIsRefused) {
  origin_.emplace([](int fd) { send_all(fd, "HTTP/1.1 400 Bad Request\r\n\r\n"); });
  lead_here();
  EXPECT_THAT(ask_once(get("/ok/", "a.example.com")), HasSubstr("Sallyport-Reason: upstream_tls_failed\r\n"));
}

TEST_F(Intercept, ClientThatDoesNotTrustTheAuthorityIsRecorded) {
  serve({.names = {"a.example.com"}});
  auto const fd = tunnel();
  TlsPeer const client(fd.get(), "a.example.com", authority_.pem());  // trusts another one
  EXPECT_FALSE(client.ready());
  auto const request = gateway_->only_request();
  EXPECT_EQ(request.verdict, "deny");
  EXPECT_EQ(request.reason, "client_rejected_ca");
  EXPECT_THAT(request.detail, HasSubstr("inspect: sni"));
  EXPECT_EQ(origin_->connections(), 0);
}

TEST_F(Intercept, ClientThatClosesRightAfterTheHandshakeIsRecorded) {
  serve({.names = {"a.example.com"}});
  {
    auto const fd = tunnel();
    TlsPeer client(fd.get(), "a.example.com", gateway_->ca_certificate());
    ASSERT_TRUE(client.ready());
    client.close_notify();
  }
  EXPECT_EQ(gateway_->only_request().reason, "client_rejected_ca");
}

TEST_F(Intercept, ClientThatBreaksTheHandshakeIsRecorded) {
  serve({.names = {"a.example.com"}});
  auto const fd = tunnel();
  send_all(fd.get(), hello_for("a.example.com") + "garbage that is no record");
  receive_to_end(fd.get());
  EXPECT_EQ(gateway_->only_request().verdict, "deny");
}

TEST_F(Intercept, ClientsGetSessionsTheyCanResume) {
  serve({.names = {"*.example.com"}});
  for (int i = 0; i < 2; ++i) {
    auto const fd = tunnel();
    TlsPeer client(fd.get(), "a.example.com", gateway_->ca_certificate());
    client.send(get("/ok/", "a.example.com"));
    EXPECT_THAT(client.receive_until("\r\n\r\n"), StartsWith("HTTP/1.1 200 OK\r\n"));
    auto* const session = SSL_get1_session(client.ssl());
    EXPECT_EQ(SSL_SESSION_is_resumable(session), 1);
    SSL_SESSION_free(session);
  }
}

TEST_F(Intercept, RawBytesPassWithoutBeingReadAndTheServerMaySpeakFirst) {
  Origin origin([](int fd) { send_all(fd, "SSH-2.0-server\r\n"); echo(fd); });
  GatewayHarness gateway(kFullRules, {"raw.example.net:22:127.0.0.1:" + std::to_string(origin.port())});
  auto const client = opened_tunnel(gateway, "raw.example.net:22");
  EXPECT_EQ(receive_until(client.get(), "\r\n"), "SSH-2.0-server\r\n");
  send_all(client.get(), "anything");
  EXPECT_EQ(receive(client.get(), 8), "anything");
  EXPECT_EQ(gateway.only_request().rule, "bytes");
}

}  // namespace
}  // namespace sallyport::tests
