#include "proxy/budgeted_body.hpp"

#include "tests/proxy/gateway_clients.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace sallyport::tests {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

/// Answers any request with 200 once its body, of either framing, was received.
void accept_upload(int fd) {
  auto const head = receive_until(fd, "\r\n\r\n");
  auto const at = head.find("Content-Length: ");
  if (at == std::string::npos) {
    if (head.find("chunked") != std::string::npos) receive_until(fd, "0\r\n\r\n");
  } else {
    receive(fd, std::stoul(head.substr(at + 16)));
  }
  send_all(fd, "HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
}

struct Bench {
  explicit Bench(std::string const& limits)
      : gateway("  - {name: web, hosts: [web.example.com], ports: [80], limits: " + limits + "}\n",
                {"web.example.com:80:127.0.0.1:" + std::to_string(origin.port())}) {}

  std::string post(std::string const& framing, std::string const& body) {
    return ask(gateway.proxy_port(), "POST http://web.example.com/ HTTP/1.1\r\nHost: web.example.com\r\nConnection: close\r\n" + framing + "\r\n\r\n" + body);
  }
  std::string post(std::size_t bytes) { return post("Content-Length: " + std::to_string(bytes), std::string(bytes, 'x')); }

  Origin origin{accept_upload};
  GatewayHarness gateway;
};

TEST(BudgetedBody, BodyAboveTheLimitIsRefusedBeforeAnythingIsDialled) {
  Bench bench("{request_body: 1000}");
  EXPECT_THAT(bench.post(1000), StartsWith("HTTP/1.1 200"));
  EXPECT_THAT(bench.post(1001), HasSubstr("Sallyport-Reason: request_body_limit"));
  EXPECT_EQ(bench.origin.connections(), 1);
}

TEST(BudgetedBody, BodyOfUnknownLengthIsCutWhereTheLimitIs) {
  Bench bench("{request_body: 1000}");
  std::string chunks;
  for (int i = 0; i < 20; ++i) chunks += "64\r\n" + std::string(100, 'x') + "\r\n";
  auto const reply = bench.post("Transfer-Encoding: chunked", chunks + "0\r\n\r\n");
  EXPECT_THAT(reply, HasSubstr("Sallyport-Reason: request_body_limit"));
  auto const done = bench.gateway.wait_for<audit::EgressDone>(1);
  ASSERT_EQ(done.size(), 1U);
  EXPECT_EQ(done[0].reason, "request_body_limit");
  EXPECT_LE(done[0].bytes_up, 1000U);
}

TEST(BudgetedBody, UploadsOfASessionAddUp) {
  Bench bench("{upload: 1500}");
  EXPECT_THAT(bench.post(1000), StartsWith("HTTP/1.1 200"));
  EXPECT_THAT(bench.post(501), HasSubstr("Sallyport-Reason: upload_limit"));
  EXPECT_THAT(bench.post(500), StartsWith("HTTP/1.1 200"));
}

TEST(BudgetedBody, RequestsOfAMinuteAreCounted) {
  Bench bench("{requests_per_minute: 2}");
  EXPECT_THAT(bench.post(1), StartsWith("HTTP/1.1 200"));
  EXPECT_THAT(bench.post(1), StartsWith("HTTP/1.1 200"));
  EXPECT_THAT(bench.post(1), HasSubstr("Sallyport-Reason: rate_limit"));
  EXPECT_EQ(bench.origin.connections(), 2);
}

/// Holds its connection until the client goes.
void hold(int fd) { receive_to_end(fd); }

TEST(BudgetedBody, ConnectionsOfATunnelAreCountedWhileTheyAreOpen) {
  Origin origin(hold);
  GatewayHarness gateway("  - {name: tls, hosts: [tls.example.com], inspect: sni, limits: {connections: 1}}\n",
                         {"tls.example.com:443:127.0.0.1:" + std::to_string(origin.port())});
  {
    auto const first = opened_tunnel(gateway, "tls.example.com:443");
    send_all(first.get(), hello_for("tls.example.com"));
    ASSERT_EQ(gateway.wait_for<audit::EgressTunnel>(1).size(), 1U);
    auto const second = opened_tunnel(gateway, "tls.example.com:443");
    send_all(second.get(), hello_for("tls.example.com"));
    auto const requests = gateway.wait_for<audit::EgressRequest>(2);
    ASSERT_EQ(requests.size(), 2U);
    EXPECT_EQ(requests[1].reason, "connection_limit");
  }
  ASSERT_EQ(gateway.wait_for<audit::EgressTunnel>(2).size(), 2U) << "the first has ended";
  auto const third = opened_tunnel(gateway, "tls.example.com:443");
  send_all(third.get(), hello_for("tls.example.com"));
  auto const requests = gateway.wait_for<audit::EgressRequest>(3);
  ASSERT_EQ(requests.size(), 3U);
  EXPECT_EQ(requests[2].verdict, "allow");
}

}  // namespace
}  // namespace sallyport::tests
