#include "tests/proxy/gateway_clients.hpp"

#include "tests/proxy/client_hello_samples.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace sallyport::tests {

char const* const kRules =
    "  - {name: tls, hosts: [tls.example.com, other.example.com], ports: [443], inspect: sni}\n"
    "  - {name: web, hosts: [web.example.com], ports: [80], methods: [GET, POST, HEAD], paths: ['/ok/**']}\n"
    "  - {name: closed, hosts: [closed.example.com], ports: [443], inspect: sni}\n"
    "  - {name: inside, hosts: [localhost], ports: [443], inspect: sni}\n";

std::vector<std::string> pins_to(Origin const& origin) {
  auto const to = ":*:127.0.0.1:" + std::to_string(origin.port());
  return {"tls.example.com" + to, "other.example.com" + to, "web.example.com" + to, "closed.example.com:*:127.0.0.1:1"};
}

std::string hello_for(std::string const& name) { return proxy::samples::openssl_hello({.sni = name}); }

std::string connect_request(std::string const& authority) {
  return "CONNECT " + authority + " HTTP/1.1\r\nHost: " + authority + "\r\n\r\n";
}

std::string get(std::string const& url, std::string const& host) {
  return "GET " + url + " HTTP/1.1\r\nHost: " + host + "\r\n\r\n";
}

UniqueFd opened_tunnel(GatewayHarness const& gateway, std::string const& authority) {
  auto client = connect_to(gateway.proxy_port());
  send_all(client.get(), connect_request(authority));
  EXPECT_THAT(receive_until(client.get(), "\r\n\r\n"), testing::StartsWith("HTTP/1.1 200 "));
  return client;
}

std::string ask(std::uint16_t port, std::string const& request) {
  auto const client = connect_to(port);
  send_all(client.get(), request);
  return receive_to_end(client.get());
}

}  // namespace sallyport::tests
