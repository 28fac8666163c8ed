#include "proxy/tunnel.hpp"

#include "tests/proxy/client_hello_samples.hpp"
#include "tests/proxy/gateway_clients.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace sallyport::tests {
namespace {

using audit::EgressTunnel;
using testing::HasSubstr;
using testing::StartsWith;

TEST(Tunnel, AllowedTunnelCarriesBytesBothWaysAndIsRecorded) {
  Origin origin(echo);
  GatewayHarness gateway(kRules, pins_to(origin));
  auto const client = opened_tunnel(gateway, "tls.example.com:443");
  auto const bytes = hello_for("tls.example.com") + std::string(300'000, 'x');
  send_all(client.get(), bytes);
  EXPECT_EQ(receive(client.get(), bytes.size()), bytes);
  shutdown_send(client.get());
  EXPECT_EQ(wait_end(client.get()), End::orderly);

  auto const request = gateway.only_request();
  EXPECT_EQ(request.verdict, "allow");
  EXPECT_EQ(request.rule, "tls");
  EXPECT_EQ(request.sni, "tls.example.com");
  EXPECT_EQ(request.flow.remote_port, gateway.proxy_port());
  auto const tunnel = gateway.wait_for<EgressTunnel>(2);
  ASSERT_EQ(tunnel.size(), 2U);
  EXPECT_EQ(tunnel[1].id, request.id);
  EXPECT_EQ(tunnel[1].bytes_up, bytes.size());
  EXPECT_EQ(tunnel[1].bytes_down, bytes.size());
  EXPECT_EQ(tunnel[1].error, "");
}

struct Denied {
  std::string authority;
  int status;
  std::string reason;
};

TEST(Tunnel, RefusalsAreReadableRecordedAndDialNothing) {
  for (auto const& [authority, status, reason] : std::vector<Denied>{
           {"nobody.example.com:443", 403, "no_rule"},
           {"tls.example.com:8443", 403, "port_not_allowed"},
           {"93.184.216.34:443", 403, "ip_literal"},
           {"localhost:443", 403, "address_class"},
           {"0x7f.1:443", 400, "bad_host"},
           {"tls.example.com", 400, "bad_host"},
       }) {
    SCOPED_TRACE(authority);
    Origin origin(echo);
    GatewayHarness gateway(kRules, pins_to(origin));
    auto const reply = ask(gateway.proxy_port(), connect_request(authority));
    EXPECT_THAT(reply, StartsWith("HTTP/1.1 " + std::to_string(status)));
    EXPECT_THAT(reply, HasSubstr("Sallyport-Reason: " + reason + "\r\n"));
    auto const request = gateway.only_request();
    EXPECT_EQ(request.verdict, "deny");
    EXPECT_EQ(request.reason, reason);
    EXPECT_EQ(request.status, status);
    EXPECT_EQ(origin.connections(), 0);
  }
}

struct Opening {
  std::string name;
  std::string bytes;
  std::string reason;
};

TEST(Tunnel, WhatComesFirstMustNameTheTunnelsHost) {
  for (auto const& [name, bytes, reason] : std::vector<Opening>{
           {"other SNI", hello_for("other.example.com"), "sni_mismatch"},
           {"no SNI", proxy::samples::openssl_hello({}), "no_sni"},
           {"SSH", "SSH-2.0-OpenSSH_9.2\r\n", "bad_request"},
           {"zeros", std::string(64, '\0'), "not_tls"},

           {"other Host", "GET / HTTP/1.1\r\nHost: other.example.com\r\n\r\n", "host_mismatch"},
       }) {
    SCOPED_TRACE(name);
    Origin origin(echo);
    GatewayHarness gateway(kRules, pins_to(origin));
    auto const client = opened_tunnel(gateway, "tls.example.com:443");
    send_all(client.get(), bytes);
    receive_to_end(client.get());
    auto const request = gateway.only_request();
    EXPECT_EQ(request.verdict, "deny");
    EXPECT_EQ(request.reason, reason);
    EXPECT_EQ(origin.connections(), 0);
  }
}

TEST(Tunnel, RefusedTlsClientGetsAnAlert) {
  Origin origin(echo);
  GatewayHarness gateway(kRules, pins_to(origin));
  auto const client = opened_tunnel(gateway, "tls.example.com:443");
  send_all(client.get(), hello_for("other.example.com"));
  EXPECT_EQ(receive_to_end(client.get()), std::string("\x15\x03\x03\x00\x02\x02\x70", 7));
}

TEST(Tunnel, RefusedUpstreamConnectionIsRecordedOnceAndEnds) {
  Origin origin(echo);
  GatewayHarness gateway(kRules, pins_to(origin));
  auto const client = opened_tunnel(gateway, "closed.example.com:443");
  send_all(client.get(), hello_for("closed.example.com"));
  EXPECT_THAT(receive_to_end(client.get()), StartsWith("\x15\x03"));
  EXPECT_EQ(gateway.only_request().verdict, "allow");
  auto const tunnel = gateway.wait_for<EgressTunnel>(1);
  ASSERT_EQ(tunnel.size(), 1U);
  EXPECT_THAT(tunnel[0].error, HasSubstr("refused"));
}

}  // namespace
}  // namespace sallyport::tests
