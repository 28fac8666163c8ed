#include "proxy/relay.hpp"

#include "tests/proxy/gateway_clients.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sys/socket.h>

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

/// `size` bytes, or fewer at the end of the stream.
std::string receive_exactly(int fd, std::size_t size) {
  std::string bytes(size, '\0');
  std::size_t done = 0;
  while (done < size) {
    auto const got = ::recv(fd, bytes.data() + done, size - done, 0);
    if (got <= 0) break;
    done += static_cast<std::size_t>(got);
  }
  bytes.resize(done);
  return bytes;
}

/// Bytes that no block repeats.
std::string bulk_of(std::size_t size) {
  std::string bytes(size, '\0');
  for (std::size_t i = 0; i < size; ++i) bytes[i] = static_cast<char>((i * 2654435761U) >> 13);
  return bytes;
}

TEST(Relay, BulkIsByteExactBothWaysAndIsFollowedBySmallMessages) {
  auto const bulk = bulk_of(9'000'001);
  auto const hello = hello_for("tls.example.com");
  Origin origin([&](int fd) {
    receive_exactly(fd, hello.size());
    send_all(fd, bulk);
    auto const got = receive_exactly(fd, bulk.size());
    send_all(fd, got == bulk ? "same" : "other");
    send_all(fd, receive_exactly(fd, 4));
  });
  GatewayHarness gateway(kRules, pins_to(origin));
  auto const client = opened_tunnel(gateway, "tls.example.com:443");
  send_all(client.get(), hello);
  EXPECT_TRUE(receive_exactly(client.get(), bulk.size()) == bulk);
  send_all(client.get(), bulk);
  EXPECT_EQ(receive_exactly(client.get(), 4), "same");
  send_all(client.get(), "ping");
  EXPECT_EQ(receive_to_end(client.get()), "ping");
  shutdown_send(client.get());
  auto const closed = gateway.wait_for<audit::EgressTunnel>(2);
  ASSERT_EQ(closed.size(), 2U);
  EXPECT_EQ(closed.back().bytes_down, bulk.size() + 8);
  EXPECT_EQ(closed.back().bytes_up, hello.size() + bulk.size() + 4);
}

}  // namespace
}  // namespace sallyport::tests
