#include "proxy/upstream_hop.hpp"

#include "tests/proxy/gateway_clients.hpp"
#include "tests/proxy/tls_peer.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>

namespace sallyport::tests {
namespace {

using audit::EgressRequest;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

std::shared_ptr<policies::UpstreamRoute const> through(std::string const& url, std::string const& direct = {}) {
  return std::make_shared<policies::UpstreamRoute const>(
      policies::UpstreamRoute{policies::parse_upstream_proxy(url).value(), policies::DirectHosts::parse(direct).value()});
}

std::string local(std::string const& scheme, std::uint16_t port) { return scheme + "://127.0.0.1:" + std::to_string(port); }

/// What comes back of a ClientHello through a tunnel to tls.example.com, whose server echoes.
void expect_echo(GatewayHarness const& gateway) {
  auto const client = opened_tunnel(gateway, "tls.example.com:443");
  auto const bytes = hello_for("tls.example.com") + std::string(100'000, 'x');
  send_all(client.get(), bytes);
  EXPECT_EQ(receive(client.get(), bytes.size()), bytes);
  shutdown_send(client.get());
  EXPECT_EQ(wait_end(client.get()), End::orderly);
}

/// The upstream proxy is another gateway: it speaks all these protocols, and its records tell what it was asked for.
TEST(UpstreamHop, TunnelGoesThroughTheProxyByName) {
  for (std::string const scheme : {"http", "socks5h"}) {
    SCOPED_TRACE(scheme);
    Origin origin(echo);
    GatewayHarness upstream(kRules, pins_to(origin));
    GatewayHarness gateway(kRules, {}, Acks::at_once, {}, through(local(scheme, upstream.proxy_port())));
    expect_echo(gateway);
    auto const record = gateway.only_request();
    EXPECT_EQ(record.verdict, "allow");
    EXPECT_EQ(record.via, local(scheme, upstream.proxy_port()));
    EXPECT_EQ(record.resolved_by, "upstream");
    EXPECT_THAT(record.addresses, IsEmpty());
    EXPECT_EQ(upstream.only_request().host, "tls.example.com");
    EXPECT_EQ(upstream.only_request().leg, scheme == "http" ? audit::Leg::connect : audit::Leg::socks5);
  }
}

TEST(UpstreamHop, RequestGoesThroughTheProxyToo) {
  Origin origin([](int fd) {
    receive_until(fd, "\r\n\r\n");
    send_all(fd, "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");
  });
  GatewayHarness upstream(kRules, pins_to(origin));
  GatewayHarness gateway(kRules, {}, Acks::at_once, {}, through(local("http", upstream.proxy_port())));
  auto const client = connect_to(gateway.proxy_port());
  send_all(client.get(), get("http://web.example.com/ok/", "web.example.com"));
  EXPECT_THAT(receive_until(client.get(), "\r\n\r\nok"), StartsWith("HTTP/1.1 200 "));
}

TEST(UpstreamHop, HttpProxyForwardsARequestOutsideTls) {
  std::string head;
  Origin proxy([&head](int fd) {
    head = receive_until(fd, "\r\n\r\n");
    send_all(fd, "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");
  });
  GatewayHarness gateway(kRules, {}, Acks::at_once, {},
                         through("http://me:hunter2@127.0.0.1:" + std::to_string(proxy.port())));
  auto const client = connect_to(gateway.proxy_port());
  send_all(client.get(), get("http://web.example.com/ok/?q=1", "web.example.com"));
  EXPECT_THAT(receive_until(client.get(), "\r\n\r\nok"), StartsWith("HTTP/1.1 200 "));
  EXPECT_THAT(head, StartsWith("GET http://web.example.com/ok/?q=1 HTTP/1.1\r\nHost: web.example.com\r\n"));
  EXPECT_THAT(head, HasSubstr("\r\nProxy-Authorization: Basic bWU6aHVudGVyMg==\r\n"));
}

TEST(UpstreamHop, WhatThePolicyDeniesDoesNotReachTheProxy) {
  Origin proxy(echo);
  GatewayHarness gateway(kRules, {}, Acks::at_once, {}, through(local("http", proxy.port())));
  EXPECT_THAT(ask(gateway.proxy_port(), connect_request("nobody.example.com:443")), HasSubstr("Sallyport-Reason: no_rule"));
  EXPECT_EQ(proxy.connections(), 0);
}

TEST(UpstreamHop, AddressGuardAppliesWhereNamesAreLookedUpHere) {
  Origin proxy(echo);
  GatewayHarness gateway(kRules, {}, Acks::at_once, {}, through(local("socks5", proxy.port())));
  EXPECT_THAT(ask(gateway.proxy_port(), connect_request("localhost:443")), HasSubstr("Sallyport-Reason: address_class"));
  EXPECT_EQ(proxy.connections(), 0);
}

TEST(UpstreamHop, HostsThatAreDirectAndPinnedHostsGoAroundIt) {
  Origin proxy(echo);
  Origin origin(echo);
  GatewayHarness gateway(kRules, pins_to(origin), Acks::at_once, {}, through(local("http", proxy.port()), "localhost"));
  expect_echo(gateway);
  EXPECT_EQ(gateway.only_request().via, "");
  EXPECT_THAT(ask(gateway.proxy_port(), connect_request("localhost:443")), HasSubstr("address_class")) << "looked up here";
  EXPECT_EQ(proxy.connections(), 0);
}

TEST(UpstreamHop, RefusalOfTheProxyIsReadableAndRecorded) {
  Origin proxy([](int fd) {
    receive_until(fd, "\r\n\r\n");
    send_all(fd, "HTTP/1.1 407 Who are you\r\nContent-Length: 0\r\n\r\n");
  });
  auto const url = local("http", proxy.port());
  GatewayHarness gateway(kRules, {}, Acks::at_once, {}, through(url));
  auto const reply = ask(gateway.proxy_port(), get("http://web.example.com/ok/", "web.example.com"));
  EXPECT_THAT(reply, StartsWith("HTTP/1.1 502 "));
  EXPECT_THAT(reply, HasSubstr("Sallyport-Reason: upstream_proxy_failed\r\n"));
  EXPECT_THAT(reply, HasSubstr("407"));
  EXPECT_THAT(reply, HasSubstr(url));
}

TEST(UpstreamHop, ProxyHearsNothingBeforeTheVerdictIsRecorded) {
  Origin proxy(echo);
  GatewayHarness gateway(kRules, {}, Acks::held, {}, through(local("http", proxy.port())));
  auto const client = opened_tunnel(gateway, "tls.example.com:443");
  send_all(client.get(), hello_for("tls.example.com"));
  EXPECT_EQ(gateway.wait_for<EgressRequest>(1).size(), 1U);
  EXPECT_EQ(proxy.connections(), 0);
  gateway.acknowledge_all();
  EXPECT_EQ(wait_end(client.get()), End::orderly) << "an echo is no answer to CONNECT";
  EXPECT_EQ(proxy.connections(), 1);
}

/// Says yes to CONNECT over TLS, and echoes.
Origin tls_proxy(SSL_CTX* context) {
  return Origin([context](int fd) {
    TlsPeer peer(context, fd);
    if (peer.receive_until("\r\n\r\n").starts_with("CONNECT tls.example.com:443 ")) peer.send("HTTP/1.1 200 OK\r\n\r\n");
    for (auto bytes = peer.receive(1); !bytes.empty(); bytes = peer.receive(1)) peer.send(bytes);
    peer.close_notify();
  });
}

TEST(UpstreamHop, HttpsProxyIsReachedByTlsAndItsCertificateIsVerified) {
  TestAuthority const authority;
  auto const context = authority.server({{"localhost"}});
  auto proxy = tls_proxy(context.get());
  auto const route = through("https://localhost:" + std::to_string(proxy.port()));
  GatewayHarness trusting(kRules, {}, Acks::at_once, authority.pem(), route);
  auto const client = opened_tunnel(trusting, "tls.example.com:443");
  auto const hello = hello_for("tls.example.com");
  send_all(client.get(), hello);
  EXPECT_EQ(receive(client.get(), hello.size()), hello);

  GatewayHarness doubting(kRules, {}, Acks::at_once, {}, route);
  auto const reply = ask(doubting.proxy_port(), get("http://web.example.com/ok/", "web.example.com"));
  EXPECT_THAT(reply, HasSubstr("Sallyport-Reason: upstream_proxy_failed\r\n"));
}

}  // namespace
}  // namespace sallyport::tests
