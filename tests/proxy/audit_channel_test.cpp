#include "proxy/audit_channel.hpp"

#include "proxy/task_set.hpp"
#include "tests/proxy/gateway_clients.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sys/socket.h>

#include <chrono>
#include <future>
#include <optional>
#include <string>

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

awaitable<void> run_channel(proxy::AuditChannel& channel, std::optional<proxy::ChannelEnd>& end) {
  end = co_await channel.run({});
}

/// A worker that has drained ends by itself: its supervisor is there.
TEST(AuditChannel, WhatIsQueuedWhenTheWorkerEndsIsStillSent) {
  int ends[2];
  ASSERT_EQ(::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends), 0);
  auto const supervisor = UniqueFd::adopt(ends[0], "supervisor").value();
  asio::io_context io;
  proxy::AuditChannel channel(io, UniqueFd::adopt(ends[1], "gateway").value());
  proxy::TaskSet tasks(io.get_executor(), [](std::exception_ptr) {});
  std::optional<proxy::ChannelEnd> end;
  tasks.start(run_channel(channel, end));
  io.poll();
  channel.post(audit::LimitHit{"connections", "the last one"});
  tasks.cancel_all();
  io.restart();
  io.run();
  channel.flush_blocking();
  char packet[4096];
  auto const got = ::recv(supervisor.get(), packet, sizeof packet, MSG_DONTWAIT);
  ASSERT_GT(got, 0);
  EXPECT_THAT(std::string(packet, static_cast<std::size_t>(got)), testing::HasSubstr("the last one"));
}

}  // namespace
}  // namespace sallyport::tests
