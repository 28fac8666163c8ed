#include "proxy/websocket_upgrade.hpp"

#include "dlp/example.hpp"
#include "proxy/field_lines.hpp"
#include "proxy/websocket_reader.hpp"
#include "tests/proxy/gateway_clients.hpp"
#include "tests/proxy/websocket_frames.hpp"

#include <gmock/gmock.h>

namespace sallyport::tests {
namespace {

using proxy::Opcode;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

constexpr char kKey[] = "dGhlIHNhbXBsZSBub25jZQ==";
constexpr char kAccept[] = "Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n";
constexpr char kSocketRules[] =
    "  - {name: open, hosts: [web.example.com], ports: [80]}\n"
    "  - {name: fetch, hosts: [fetch.example.com], ports: [80], methods: [GET]}\n"
    "  - {name: live, hosts: [live.example.com], ports: [80], methods: [GET], websocket: true}\n";

std::string value_of(std::string const& head, std::string const& name) {
  auto const at = head.find(name + ": ") + name.size() + 2;
  return head.substr(at, head.find("\r\n", at) - at);
}

/// A server of WebSockets that greets with the head it got and sends messages back.
void echo_messages(int fd, std::string const& more_fields, bool is_right) {
  auto const head = receive_until(fd, "\r\n\r\n");
  auto const key = is_right ? value_of(head, "Sec-WebSocket-Key") : kKey;
  send_all(fd, "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n" + more_fields +
                   "Sec-WebSocket-Accept: " + proxy::websocket_accept(key) + "\r\n\r\n" +
                   server_frame(Opcode::text, head.substr(0, 60)));
  proxy::WebSocketReader reader(proxy::WebSocketSide::client, proxy::Compression::none);
  for (auto bytes = receive(fd, 1); !bytes.empty(); bytes = receive(fd, 1)) {
    auto const step = reader.next(bytes);
    if (!step) return;
    if (step->piece.kind == proxy::WebSocketPiece::Kind::control) return;
    if (!step->piece.payload.empty()) send_all(fd, server_frame(Opcode::text, step->piece.payload));
  }
}

struct SocketBench {
  explicit SocketBench(std::string const& more_fields = {}, bool is_right = true)
      : origin([=](int fd) { echo_messages(fd, more_fields, is_right); }) {}
  std::vector<std::string> pins() const {
    std::vector<std::string> all;
    for (std::string const name : {"web", "fetch", "live"})
      all.push_back(name + ".example.com:80:127.0.0.1:" + std::to_string(origin.port()));
    return all;
  }
  /// A client that asked for a WebSocket; `head` is what it got.
  UniqueFd ask_for_socket(std::string const& name, std::string const& more_fields = {}) {
    auto client = connect_to(gateway.proxy_port());
    send_all(client.get(), "GET http://" + name + "/live HTTP/1.1\r\nHost: " + name +
                               "\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n" + "Sec-WebSocket-Key: " + kKey +
                               "\r\nSec-WebSocket-Version: 13\r\n" + more_fields + "\r\n");
    head = receive_until(client.get(), "\r\n\r\n");
    return client;
  }

  Origin origin;
  GatewayHarness gateway{kSocketRules, pins()};
  std::string head;
};

TEST(WebSocketUpgrade, MessagesPassBehindAHandshakeThatIsTheGatewaysOwn) {
  SocketBench bench("Sec-WebSocket-Protocol: chat\r\n");
  auto const client =
      bench.ask_for_socket("web.example.com", "Sec-WebSocket-Protocol: chat\r\nSec-WebSocket-Extensions: other\r\n");
  EXPECT_THAT(bench.head, StartsWith("HTTP/1.1 101 "));
  EXPECT_THAT(bench.head, HasSubstr(kAccept));
  EXPECT_THAT(bench.head, HasSubstr("Sec-WebSocket-Protocol: chat\r\n"));
  auto const greeting = receive(client.get(), 62);
  EXPECT_THAT(greeting, HasSubstr("GET /live HTTP/1.1\r\nHost: web.example.com\r\n"));
  send_all(client.get(), client_frame(Opcode::text, "x"));
  EXPECT_EQ(receive(client.get(), 3), "\x81\x01x");
  send_all(client.get(), client_frame(Opcode::close, ""));
  EXPECT_EQ(wait_end(client.get()), End::orderly);
  auto const done = bench.gateway.wait_for<audit::EgressDone>(1);
  ASSERT_EQ(done.size(), 1u);
  EXPECT_EQ(done[0].status, 101);
  EXPECT_EQ(done[0].bytes_up, 1u);
  EXPECT_EQ(done[0].messages_up, 1u);
  EXPECT_EQ(done[0].messages_down, 2u);
  EXPECT_EQ(done[0].error, "");
}

TEST(WebSocketUpgrade, ARuleWithMethodsDoesNotAllowItUnlessItSaysSo) {
  SocketBench bench;
  bench.ask_for_socket("fetch.example.com");
  EXPECT_THAT(bench.head, HasSubstr("Sallyport-Reason: websocket_not_allowed\r\n"));
  EXPECT_EQ(bench.origin.connections(), 0);
  bench.ask_for_socket("live.example.com");
  EXPECT_THAT(bench.head, StartsWith("HTTP/1.1 101 "));
}

TEST(WebSocketUpgrade, AWrongHandshakeIsNotPassedOn) {
  SocketBench bench;
  bench.ask_for_socket("web.example.com", "Sec-WebSocket-Version: 13\r\n");
  EXPECT_THAT(bench.head, HasSubstr("Sallyport-Reason: bad_request\r\n"));
  EXPECT_EQ(bench.origin.connections(), 0);
  EXPECT_EQ(bench.gateway.only_request().host, "web.example.com");
}

TEST(WebSocketUpgrade, AWrongAnswerIsNotPassedOn) {
  SocketBench other_key({}, false);
  other_key.ask_for_socket("web.example.com");
  EXPECT_THAT(other_key.head, StartsWith("HTTP/1.1 502 "));
  SocketBench not_offered("Sec-WebSocket-Extensions: permessage-deflate\r\n");
  not_offered.ask_for_socket("web.example.com");
  EXPECT_THAT(not_offered.head, StartsWith("HTTP/1.1 502 "));
}

TEST(WebSocketUpgrade, AServerThatStaysWithHttpIsHeard) {
  Origin origin([](int fd) {
    receive_until(fd, "\r\n\r\n");
    send_all(fd, "HTTP/1.1 426 Upgrade Required\r\nContent-Length: 2\r\n\r\nno");
  });
  GatewayHarness gateway(kSocketRules, {"web.example.com:80:127.0.0.1:" + std::to_string(origin.port())});
  auto const reply =
      ask(gateway.proxy_port(),
          std::string("GET http://web.example.com/ HTTP/1.1\r\nHost: web.example.com\r\n") +
              "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: " + kKey +
              "\r\n\r\n");
  EXPECT_THAT(reply, StartsWith("HTTP/1.1 426 "));
  EXPECT_THAT(reply, testing::EndsWith("\r\n\r\nno"));
}

TEST(WebSocketUpgrade, ASecretOverTheFramesOfAMessageEndsItOnBothSides) {
  SocketBench bench;
  auto const client = bench.ask_for_socket("web.example.com");
  receive(client.get(), 62);
  auto const secret = dlp::expand_example("ghp_<b62*30><crc62>", 7).value();
  send_all(client.get(), client_frame(Opcode::text, "k=" + secret.substr(0, 20), proxy::Fin::no) +
                             client_frame(Opcode::continuation, secret.substr(20)));
  auto const rest = receive_to_end(client.get());
  EXPECT_THAT(rest, HasSubstr(close_payload(1008, "secret_found")));
  EXPECT_THAT(rest, Not(HasSubstr(secret.substr(0, 8)))) << "the server would have sent it back";
  auto const found = bench.gateway.wait_for<audit::DlpFinding>(1);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].offset, 2u);
  auto const done = bench.gateway.wait_for<audit::EgressDone>(1);
  ASSERT_EQ(done.size(), 1u);
  EXPECT_EQ(done[0].reason, "secret_found");
  EXPECT_EQ(done[0].status, 101);
  EXPECT_EQ(done[0].bytes_up, 0u);
}

TEST(WebSocketUpgrade, OtherUpgradesGoOnWithoutTheUpgrade) {
  Origin origin([](int fd) {
    auto const head = receive_until(fd, "\r\n\r\n");
    send_all(fd, "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n" + head);
  });
  GatewayHarness gateway(kSocketRules, {"fetch.example.com:80:127.0.0.1:" + std::to_string(origin.port())});
  auto const reply = ask(
      gateway.proxy_port(),
      "GET http://fetch.example.com/ HTTP/1.1\r\nHost: fetch.example.com\r\nUpgrade: h2c\r\nConnection: Upgrade\r\n\r\n");
  EXPECT_THAT(reply, StartsWith("HTTP/1.1 200 "));
  EXPECT_THAT(reply, Not(HasSubstr("Upgrade: h2c")));
}

}  // namespace
}  // namespace sallyport::tests
