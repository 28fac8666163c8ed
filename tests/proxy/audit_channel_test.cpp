#include "proxy/audit_channel.hpp"

#include "tests/proxy/gateway_clients.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sys/socket.h>

#include <chrono>
#include <future>

namespace sallyport::tests {
namespace {

using audit::EgressTunnel;
using testing::StartsWith;

TEST(AuditChannel, NoByteGoesUpstreamBeforeTheRecordIsWritten) {
  std::promise<std::string> received;
  Origin origin([&](int fd) { received.set_value(receive(fd, 1)); });
  GatewayHarness gateway(kRules, pins_to(origin), Acks::held);
  auto const client = opened_tunnel(gateway, "tls.example.com:443");
  send_all(client.get(), hello_for("tls.example.com"));
  EXPECT_EQ(gateway.only_request().verdict, "allow");
  auto first_byte = received.get_future();
  EXPECT_EQ(first_byte.wait_for(std::chrono::milliseconds(200)), std::future_status::timeout);
  gateway.acknowledge_all();
  EXPECT_EQ(first_byte.get(), "\x16");
}

TEST(AuditChannel, NoRefusalIsSentBeforeItsRecordIsWritten) {
  Origin origin(echo);
  GatewayHarness gateway(kRules, pins_to(origin), Acks::held);
  auto const client = connect_to(gateway.proxy_port());
  send_all(client.get(), connect_request("nobody.example.com:443"));
  EXPECT_EQ(gateway.only_request().verdict, "deny");
  char byte = 0;
  EXPECT_LT(::recv(client.get(), &byte, 1, MSG_DONTWAIT), 0);
  gateway.acknowledge_all();
  EXPECT_THAT(receive_to_end(client.get()), StartsWith("HTTP/1.1 403"));
}

TEST(AuditChannel, LosingTheSupervisorEndsEveryConnectionAndTheProcess) {
  Origin origin(echo);
  GatewayHarness gateway(kRules, pins_to(origin));
  auto const client = opened_tunnel(gateway, "tls.example.com:443");
  auto const hello = hello_for("tls.example.com");
  send_all(client.get(), hello);
  EXPECT_EQ(receive(client.get(), hello.size()), hello);
  EXPECT_EQ(gateway.abandon(), 1);
  EXPECT_NE(wait_end(client.get()), End::none);
}

TEST(AuditChannel, StopRecordsTheEndOfLiveTunnels) {
  Origin origin(echo);
  GatewayHarness gateway(kRules, pins_to(origin));
  auto const client = opened_tunnel(gateway, "tls.example.com:443");
  auto const hello = hello_for("tls.example.com");
  send_all(client.get(), hello);
  EXPECT_EQ(receive(client.get(), hello.size()), hello);
  EXPECT_EQ(gateway.stop(), 0);
  auto const tunnel = gateway.wait_for<EgressTunnel>(2);
  ASSERT_EQ(tunnel.size(), 2U);
  EXPECT_EQ(tunnel[1].bytes_down, hello.size());
}

}  // namespace
}  // namespace sallyport::tests
