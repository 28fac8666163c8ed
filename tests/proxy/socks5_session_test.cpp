#include "proxy/socks5_session.hpp"

#include "tests/proxy/gateway_clients.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <tuple>
#include <vector>

namespace sallyport::tests {
namespace {

constexpr std::string_view kSocksGreeting("\x05\x01\x00", 3);

std::string socks_request(std::string const& name, std::uint16_t port) {
  return std::string("\x05\x01\x00\x03", 4) + static_cast<char>(name.size()) + name + static_cast<char>(port >> 8) +
         static_cast<char>(port & 0xff);
}

UniqueFd socks_client(GatewayHarness const& gateway, std::string const& name, std::uint16_t port, char expected_reply) {
  auto client = connect_to(gateway.proxy_port());
  send_all(client.get(), std::string(kSocksGreeting) + socks_request(name, port));
  EXPECT_EQ(receive(client.get(), 2), std::string("\x05\x00", 2));
  auto const reply = receive(client.get(), 10);
  EXPECT_EQ(reply.size(), 10U);
  EXPECT_EQ(reply.substr(0, 2), std::string("\x05") + expected_reply);
  return client;
}

TEST(Socks5Session, AllowedNameIsTunnelled) {
  Origin origin(echo);
  GatewayHarness gateway(kRules, pins_to(origin));
  auto const client = socks_client(gateway, "tls.example.com", 443, '\0');
  auto const hello = hello_for("tls.example.com");
  send_all(client.get(), hello);
  EXPECT_EQ(receive(client.get(), hello.size()), hello);
  EXPECT_EQ(gateway.only_request().leg, audit::Leg::socks5);
}

TEST(Socks5Session, RefusalIsNotAllowedByRuleset) {
  for (auto const& [name, port, reason] : std::vector<std::tuple<std::string, std::uint16_t, std::string>>{
           {"nobody.example.com", 443, "no_rule"},
           {"tls.example.com", 22, "port_not_allowed"},
           {"localhost", 443, "address_class"},
       }) {
    SCOPED_TRACE(name);
    Origin origin(echo);
    GatewayHarness gateway(kRules, pins_to(origin));
    socks_client(gateway, name, port, '\x02');
    EXPECT_EQ(gateway.only_request().reason, reason);
    EXPECT_EQ(origin.connections(), 0);
  }
}

}  // namespace
}  // namespace sallyport::tests
