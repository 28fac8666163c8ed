#include "proxy/relay.hpp"

#include "tests/proxy/gateway_clients.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <future>
#include <string>

namespace sallyport::tests {
namespace {

TEST(Relay, ClientMayStopSendingAndStillReceive) {
  Origin origin([](int fd) { send_all(fd, std::to_string(receive_to_end(fd).size())); });
  GatewayHarness gateway(kRules, pins_to(origin));
  auto const client = opened_tunnel(gateway, "tls.example.com:443");
  auto const hello = hello_for("tls.example.com");
  send_all(client.get(), hello);
  shutdown_send(client.get());
  EXPECT_EQ(receive_to_end(client.get()), std::to_string(hello.size()));
}

TEST(Relay, ServerMayStopSendingAndStillReceive) {
  std::promise<std::string> received;
  Origin origin([&](int fd) {
    shutdown_send(fd);
    received.set_value(receive_to_end(fd));
  });
  GatewayHarness gateway(kRules, pins_to(origin));
  auto client = opened_tunnel(gateway, "tls.example.com:443");
  auto const hello = hello_for("tls.example.com");
  send_all(client.get(), hello);
  EXPECT_EQ(receive_to_end(client.get()), "");
  send_all(client.get(), "more");
  shutdown_send(client.get());
  EXPECT_EQ(received.get_future().get(), hello + "more");
}

}  // namespace
}  // namespace sallyport::tests
