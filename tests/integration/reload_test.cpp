// Reload of a `sallyport proxy` that runs: what goes on, what ends, what stays in force.

#include "tests/support/origin.hpp"
#include "tests/support/running_proxy.hpp"
#include "tests/support/test_ca.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <csignal>
#include <filesystem>
#include <memory>
#include <optional>
#include <thread>

namespace sallyport::test {
namespace {

using namespace std::chrono_literals;

std::string rule_for(std::string const& host, std::uint16_t port) {
  return "  - {hosts: [" + host + "], ports: [" + std::to_string(port) + "], inspect: raw}\n";
}

class ProxyReload : public testing::Test {
 protected:
  ProxyReload() {
    write_policy({"a.example", "b.example"});
    std::vector<std::string> const arguments = {"--policy",  policy_.string(),       "--resolve", "a.example:*:127.0.0.1",
                                                "--resolve", "b.example:*:127.0.0.1"};
    proxy_.emplace(arguments);
  }
  void write_text(std::string const& text) const {
    write_file(directory_ / "new", text);
    std::filesystem::rename(directory_ / "new", policy_);
  }
  void write_policy(std::vector<std::string> const& hosts) const {
    std::string text = "version: 1\nname: p\negress:\n";
    for (auto const& host : hosts) text += rule_for(host, origin_.port());
    write_text(text);
  }
  std::string url(std::string const& host, std::string const& path) const {
    return "http://" + host + ":" + std::to_string(origin_.port()) + path;
  }
  /// A download that never ends, over a CONNECT tunnel.
  std::unique_ptr<Process> drip_from(std::string const& host) const {
    auto command = proxy_->curl({"--proxytunnel", "-N", url(host, "/drip")});
    command.timeout = 60s;
    auto process = std::make_unique<Process>(std::move(command));
    EXPECT_TRUE(process->wait_for_output("first bytes", 20s));
    return process;
  }

  /// The server's thread sees a reset when it runs next.
  bool wait_for_connections(std::size_t count) const {
    auto const deadline = std::chrono::steady_clock::now() + 10s;
    while (origin_.open_connections() != count && std::chrono::steady_clock::now() < deadline) std::this_thread::yield();
    return origin_.open_connections() == count;
  }

  TempDir const directory_;
  std::filesystem::path const policy_ = directory_ / "policy.yaml";
  Origin origin_;
  std::optional<RunningProxy> proxy_;
};

TEST_F(ProxyReload, EndsWithinASecondWhatIsNotAllowedAnyMoreAndNothingElse) {
  auto const ended = drip_from("b.example");
  auto const kept = drip_from("a.example");
  write_policy({"a.example"});
  ASSERT_EQ(run_command(sallyport({"policy", "reload", "--pid", std::to_string(proxy_->process().pid())})).exit_code, 0);
  ASSERT_TRUE(proxy_->process().wait_for_output("reloaded, 1 connections ended", 20s));
  auto const since = std::chrono::steady_clock::now();
  EXPECT_NE(ended->wait().exit_code, 0);
  EXPECT_LT(std::chrono::steady_clock::now() - since, 1s);
  EXPECT_EQ(::kill(kept->pid(), 0), 0);
  EXPECT_TRUE(wait_for_connections(1)) << "the server was told, too";
  EXPECT_EQ(proxy_->status_of(url("a.example", "/hello"), {"--proxytunnel"}), "200");
  EXPECT_EQ(proxy_->status_of(url("b.example", "/hello")), "403");
  auto const records = proxy_->stop();
  EXPECT_EQ(having(records, {{"type", "policy.reload"}, {"outcome", "applied"}, {"closed", "1"}}).size(), 1U)
      << print(records);
  std::size_t named = 0;
  for (auto const& record : having(records, {{"type", "egress.tunnel"}, {"phase", "close"}}))
    named += text_at(record, "error").find("the policy was changed") != std::string::npos ? 1 : 0;
  EXPECT_EQ(named, 1U);
}

TEST_F(ProxyReload, ABadPolicyKeepsTheOldOneAndSaysWhere) {
  write_text("version: 1\nname: p\negress:\n  - {hosts: [c.example], inspekt: raw}\n");
  ASSERT_TRUE(proxy_->process().wait_for_output("policy.yaml:4:", 20s)) << "the file is watched";
  EXPECT_EQ(proxy_->status_of(url("b.example", "/hello"), {"--proxytunnel"}), "200");
  EXPECT_EQ(having(proxy_->stop(), {{"type", "policy.reload"}, {"outcome", "rejected"}}).size(), 1U);
}

TEST_F(ProxyReload, AStormOfPoliciesLosesNoByteOfWhatStaysAllowed) {
  constexpr std::size_t kBytes = 48 * 1024 * 1024;
  auto command = proxy_->curl({"--proxytunnel", "--limit-rate", "24M", "-o", (directory_ / "got").string(),
                               url("a.example", "/bytes/" + std::to_string(kBytes))});
  command.timeout = 60s;
  Process transfer(std::move(command));
  for (int i = 0; i < 15; ++i) {
    if (i % 3 == 2) {
      write_text("version: 1\nnonsense: [\n");
    } else {
      write_policy(i % 3 == 0 ? std::vector<std::string>{"a.example"} : std::vector<std::string>{"a.example", "b.example"});
    }
    proxy_->process().send_signal(SIGHUP);
    std::this_thread::sleep_for(100ms);  // the rhythm of the storm; nothing waits for it
  }
  EXPECT_EQ(transfer.wait().exit_code, 0);
  auto const got = run_command({.argv = {"sha256sum", (directory_ / "got").string()}}).out.substr(0, 64);
  EXPECT_EQ(got, sha256_hex(pattern_bytes(kBytes)));
  auto const records = proxy_->stop();
  EXPECT_GE(having(records, {{"type", "policy.reload"}, {"outcome", "applied"}}).size(), 2U);
  EXPECT_GE(having(records, {{"type", "policy.reload"}, {"outcome", "rejected"}}).size(), 1U);
}

/// Accepts one WebSocket and says "server" and what came behind the handshake, in hexadecimal.
constexpr char kWebSocketServer[] = R"(
import base64, hashlib, socket
listener = socket.create_server(("127.0.0.1", 0))
print("port", listener.getsockname()[1], flush=True)
connection = listener.accept()[0]
head = b""
while not head.endswith(b"\r\n\r\n"): head += connection.recv(1)
key = [l.split(b": ")[1] for l in head.split(b"\r\n") if l.lower().startswith(b"sec-websocket-key")][0]
accept = base64.b64encode(hashlib.sha1(key + b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11").digest())
connection.sendall(b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: " + accept + b"\r\n\r\n")
rest = b""
try:
    while piece := connection.recv(4096): rest += piece
except ConnectionError:
    pass  # nobody here answers a Close frame, and who does not is cut off
print("server", rest.hex(), flush=True)
)";

/// Opens a WebSocket through the proxy, says "ready", and then what came, in hexadecimal.
constexpr char kWebSocketClient[] = R"(
import socket, sys
host, port = sys.argv[1].split(":")
target = sys.argv[2]
connection = socket.create_connection((host, int(port)))
connection.sendall(f"GET http://{target}/ HTTP/1.1\r\nHost: {target}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                   "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n".encode())
head = b""
while not head.endswith(b"\r\n\r\n"): head += connection.recv(1)
print("ready" if b" 101 " in head else head, flush=True)
rest = b""
try:
    while piece := connection.recv(4096): rest += piece
except ConnectionError:
    pass  # nobody here answers a Close frame, and who does not is cut off
print("client", rest.hex(), flush=True)
)";

TEST(ProxyReloadOfWebSockets, BothSidesAreToldWithACloseFrame) {
  TempDir const directory;
  auto const policy = directory / "policy.yaml";
  Process server(Command{.argv = {"/usr/bin/python3", "-c", kWebSocketServer}});
  ASSERT_TRUE(server.wait_for_output("\n", 20s));
  auto const port = std::to_string(std::stoul(server.out().substr(5)));
  auto const write_policy = [&](std::string const& websocket) {
    write_file(directory / "new", "version: 1\nname: p\negress:\n  - {hosts: [ws.example], ports: [" + port + "], websocket: " + websocket + "}\n");
    std::filesystem::rename(directory / "new", policy);
  };
  write_policy("true");
  RunningProxy proxy({"--policy", policy.string(), "--resolve", "ws.example:*:127.0.0.1"});
  Process client(Command{.argv = {"/usr/bin/python3", "-c", kWebSocketClient, proxy.address(), "ws.example:" + port}});
  ASSERT_TRUE(client.wait_for_output("ready", 20s)) << client.out();
  write_policy("false");
  auto const since = std::chrono::steady_clock::now();
  ASSERT_TRUE(proxy.process().wait_for_output("reloaded, 1 connections ended", 20s));
  EXPECT_THAT(client.wait().out, testing::HasSubstr("client 881003f0706f6c6963795f6368616e676564")) << "1008 policy_changed";
  EXPECT_LT(std::chrono::steady_clock::now() - since, 2s) << "a second from the reload on";
  EXPECT_THAT(server.wait().out, testing::HasSubstr("server 8890")) << "masked";
  auto const records = proxy.stop();
  EXPECT_EQ(having(records, {{"type", "egress.request"}, {"phase", "end"}, {"status", "101"}}).size(), 1U);
}

}  // namespace
}  // namespace sallyport::test
