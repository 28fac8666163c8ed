#include "proxy/gateway.hpp"

#include "tests/proxy/gateway_clients.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace sallyport::tests {
namespace {

TEST(Gateway, ConnectionThatWasNotRedirectedIsResetAtOnce) {
  Origin origin(echo);
  GatewayHarness gateway(kRules, pins_to(origin));
  auto const client = connect_to(gateway.transparent_port());
  EXPECT_EQ(wait_end(client.get()), End::reset);
  EXPECT_EQ(gateway.only_request().reason, "ip_literal");
}

TEST(Gateway, StopsWithSuccessWhenAsked) {
  GatewayHarness gateway(kRules, {});
  EXPECT_EQ(gateway.stop(), 0);
}

TEST(Gateway, ClientsThatVanishLeaveNoDescriptorBehind) {
  Origin origin(echo);
  GatewayHarness gateway(kRules, pins_to(origin));
  auto const hello = hello_for("tls.example.com");
  std::vector<std::string> const stages = {
      "",
      "\x05",
      "CONN",
      connect_request("tls.example.com:443"),
      connect_request("tls.example.com:443") + hello.substr(0, 20),
      connect_request("tls.example.com:443") + hello,
      "POST http://web.example.com/ok/ HTTP/1.1\r\nHost: web.example.com\r\nContent-Length: 9\r\n\r\nabc"};
  auto const before = gateway.open_descriptors();
  if (!before) GTEST_SKIP() << "only root may look into a process that is not dumpable";
  for (auto const& stage : stages) {
    auto const client = connect_to(gateway.proxy_port());
    send_all(client.get(), stage);
  }
  EXPECT_TRUE(gateway.wait_for_descriptors(*before));
}

}  // namespace
}  // namespace sallyport::tests
