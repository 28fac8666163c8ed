#include "proxy/http_exchange.hpp"

#include "proxy/body_framing.hpp"
#include "tests/proxy/gateway_clients.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sys/socket.h>

#include <cstdio>
#include <string>
#include <vector>

namespace sallyport::tests {
namespace {

using audit::EgressDone;
using testing::HasSubstr;
using testing::StartsWith;

constexpr std::size_t kBulk = 64 * 1024 * 1024;

std::string bulk() {
  std::string bytes(kBulk, '\0');
  std::uint32_t state = 1;
  for (auto& byte : bytes) byte = static_cast<char>((state = state * 1664525U + 1013904223U) >> 24);
  return bytes;
}

std::string chunked(std::string_view bytes) {
  std::string out;
  for (std::size_t size = 1; !bytes.empty(); size = size % 100'000 * 3 + 1) {
    auto const part = bytes.substr(0, size);
    char line[32];
    std::snprintf(line, sizeof line, "%zx\r\n", part.size());
    out.append(line).append(part).append("\r\n");
    bytes.remove_prefix(part.size());
  }
  return out + "0\r\n\r\n";
}

/// The content of a chunked body, whatever its chunks are.
std::string receive_chunked(int fd) {
  proxy::BodyReader reader{proxy::Chunked{}};
  std::string content;
  std::vector<char> buffer(256 * 1024);
  while (!reader.done()) {
    auto const got = ::recv(fd, buffer.data(), buffer.size(), 0);
    if (got <= 0 || !reader.feed({buffer.data(), static_cast<std::size_t>(got)}, content)) break;
  }
  return content;
}

/// Sends `content` in chunks of many sizes, and gets it back in the same.
TEST(HttpExchange, ContentOfChunkedBodiesPassesUnchanged) {
  auto const content = bulk();
  Origin origin([&](int fd) {
    receive_until(fd, "\r\n\r\n");
    auto const body = receive_chunked(fd);
    send_all(fd, "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + chunked(body));
  });
  GatewayHarness gateway(kRules, pins_to(origin));
  auto const client = connect_to(gateway.proxy_port());
  send_all(client.get(), "POST http://web.example.com/ok/ HTTP/1.1\r\nHost: web.example.com\r\nTransfer-Encoding: chunked\r\n\r\n");
  ASSERT_TRUE(send_all(client.get(), chunked(content)));
  EXPECT_THAT(receive_until(client.get(), "\r\n\r\n"), HasSubstr("Transfer-Encoding: chunked"));
  EXPECT_TRUE(receive_chunked(client.get()) == content) << "the body changed on the way";
  auto const done = gateway.wait_for<EgressDone>(1);
  ASSERT_EQ(done.size(), 1U);
  EXPECT_EQ(done[0].bytes_up, kBulk);
  EXPECT_EQ(done[0].bytes_down, kBulk);
}

/// Sends a body of the framing `field` says, which is `wire`, and gets the same back.
void expect_same_body_back(std::string const& field, std::string const& wire) {
  Origin origin([&](int fd) {
    receive_until(fd, "\r\n\r\n");
    auto const body = receive(fd, wire.size());
    send_all(fd, "HTTP/1.1 200 OK\r\n" + field + "\r\n\r\n");
    send_all(fd, body);
  });
  GatewayHarness gateway(kRules, pins_to(origin));
  auto const client = connect_to(gateway.proxy_port());
  send_all(client.get(), "POST http://web.example.com/ok/ HTTP/1.1\r\nHost: web.example.com\r\n" + field + "\r\n\r\n");
  ASSERT_TRUE(send_all(client.get(), wire));
  EXPECT_THAT(receive_until(client.get(), "\r\n\r\n"), HasSubstr(field));
  EXPECT_TRUE(receive(client.get(), wire.size()) == wire) << "the body changed on the way";
  auto const done = gateway.wait_for<EgressDone>(1);
  ASSERT_EQ(done.size(), 1U);
  EXPECT_EQ(done[0].bytes_up, kBulk);
  EXPECT_EQ(done[0].bytes_down, kBulk);
}

TEST(HttpExchange, BodiesWithALengthPassUnchanged) {
  expect_same_body_back("Content-Length: " + std::to_string(kBulk), bulk());
}

TEST(HttpExchange, ContinueIsPassedOnWhereNobodyLooksAtTheBody) {
  Origin origin([](int fd) {
    receive_until(fd, "\r\n\r\n");
    send_all(fd, "HTTP/1.1 100 Continue\r\n\r\n");
    auto const body = receive(fd, 4);
    send_all(fd, "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\n" + body);
  });
  GatewayHarness gateway("  - {name: web, hosts: [web.example.com], ports: [80], dlp: off}\n", pins_to(origin));
  auto const client = connect_to(gateway.proxy_port());
  send_all(client.get(),
           "POST http://web.example.com/ok/ HTTP/1.1\r\nHost: web.example.com\r\n"
           "Expect: 100-continue\r\nContent-Length: 4\r\n\r\n");
  EXPECT_THAT(receive_until(client.get(), "\r\n\r\n"), StartsWith("HTTP/1.1 100 "));
  send_all(client.get(), "body");
  EXPECT_THAT(receive_until(client.get(), "\r\n\r\n"), StartsWith("HTTP/1.1 200 "));
  EXPECT_EQ(receive(client.get(), 4), "body");
}

TEST(HttpExchange, HeadHasNoBodyAndTheConnectionStaysUsable) {
  Origin origin([](int fd) {
    receive_until(fd, "\r\n\r\n");
    send_all(fd, "HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n");
  });
  GatewayHarness gateway(kRules, pins_to(origin));
  auto const client = connect_to(gateway.proxy_port());
  for (int i = 0; i < 3; ++i) {
    send_all(client.get(), "HEAD http://web.example.com/ok/ HTTP/1.1\r\nHost: web.example.com\r\n\r\n");
    EXPECT_THAT(receive_until(client.get(), "\r\n\r\n"), HasSubstr("Content-Length: 1000"));
  }
}

TEST(HttpExchange, CutResponseResetsTheClient) {
  Origin origin([](int fd) {
    receive_until(fd, "\r\n\r\n");
    send_all(fd, "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab");
  });
  GatewayHarness gateway(kRules, pins_to(origin));
  auto const client = connect_to(gateway.proxy_port());
  send_all(client.get(), get("http://web.example.com/ok/", "web.example.com"));
  EXPECT_EQ(wait_end(client.get()), End::reset);
}

TEST(HttpExchange, ServerThatIsNotThereOrSpeaksNoHttpIsABadGateway) {
  Origin origin([](int fd) { send_all(fd, "SSH-2.0-x\r\n\r\n"); });
  GatewayHarness gateway(kRules, pins_to(origin));
  EXPECT_THAT(ask(gateway.proxy_port(), get("http://web.example.com/ok/", "web.example.com")), StartsWith("HTTP/1.1 502"));
}

}  // namespace
}  // namespace sallyport::tests
