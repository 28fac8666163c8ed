// WebSockets of a real client in real jails, through TLS that ends in the gateway: messages pass unchanged, secrets do not
// pass.

#include "tests/integration/refusals.hpp"
#include "tests/support/test_ca.hpp"

#include <gmock/gmock.h>
#include <filesystem>
#include <fstream>
#include <memory>
#include <sstream>
#include <string>

namespace sallyport::test {
namespace {

using testing::HasSubstr;

/// Told to every jail as the value of a variable: a shape that no detector knows.
constexpr char kSecret[] = "correct-horse-battery-9";

/// An echo server outside the jail, and Debian's python3-websockets in it.
class WebSocket : public testing::TestWithParam<char const*> {
 protected:
  void SetUp() override {
    auto const probe = run_command(Command{.argv = {"/usr/bin/python3", "-c", "import websockets"}});
    if (probe.exit_code != 0) GTEST_SKIP() << "python3-websockets is not installed";
    jail_.set_policy(
        "version: 1\nname: test\negress:\n  - {name: live, hosts: [socket.example], methods: [GET], websocket: true}\n");
    server_ = std::make_unique<Process>(
        Command{.argv = {"/usr/bin/python3", SALLYPORT_WEBSOCKET_SERVER, web_.path().string(), "socket.example"},
                .after_input = AfterInput::keep_open});
    ASSERT_TRUE(server_->wait_for_output("\n", 20s));
    port_ = static_cast<unsigned>(std::stoul(server_->out().substr(5)));
  }

  JailOutcome client(std::string const& action, std::vector<std::string> const& more = {}) {
    std::ifstream const file(SALLYPORT_WEBSOCKET_CLIENT);
    std::ostringstream script;
    script << file.rdbuf();
    std::vector<std::string> argv = {"/usr/bin/python3", jail_.add_file("client.py", script.str()), GetParam(), action};
    argv.insert(argv.end(), more.begin(), more.end());
    return run(argv);
  }
  JailOutcome run(std::vector<std::string> const& argv) {
    auto options = pin("socket.example", 443, port_);
    options.insert(options.end(), {"--ca-bundle", (web_ / "ca.pem").string()});
    auto command = jail_.command(options, argv);
    command.environment->push_back(std::string("DEPLOY_TOKEN=") + kSecret);
    command.timeout = 90s;
    return jail_.run(std::move(command));
  }
  /// Of what reached the server.
  std::string messages() const {
    std::ifstream const file(web_ / "messages");
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
  }

  TempDir web_;
  std::unique_ptr<Process> server_;
  unsigned port_ = 0;
  Jail jail_;
};

TEST_P(WebSocket, MessagesOfEveryKindComeBackAsTheyWere) {
  auto const outcome = client("echo");
  EXPECT_EQ(outcome.exit_code, 0) << outcome.out << outcome.err;
  for (std::string const compression : {"plain", "deflate"}) {
    for (auto const* kind : {"text", "binary", "fragments", "big", "big text", "empty", "ping"})
      EXPECT_THAT(outcome.out, HasSubstr(compression + " " + kind + " ok\n"));
  }
  auto const ends = having(
      outcome.records,
      {{"type", "egress.request"}, {"phase", "end"}, {"status", "101"}, {"messages_up", "6"}, {"messages_down", "6"}});
  EXPECT_EQ(ends.size(), 2u) << print(outcome.records);
}

TEST_P(WebSocket, SixtyFourMebibytesComeBackAsTheyWere) {
  auto const outcome = client("bulk");
  EXPECT_EQ(outcome.out, "bulk ok\n") << outcome.err;
}

TEST_P(WebSocket, ASecretInAMessageOfAnyKindDoesNotReachTheServer) {
  auto const outcome = client("plant", {kSecret});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  for (std::string const compression : {"plain", "deflate"}) {
    for (auto const* kind : {"text", "binary", "fragments"})
      EXPECT_THAT(outcome.out, HasSubstr(compression + " " + kind + " 1008 secret_found\n"));
  }
  auto const first = sha256_hex("first") + "\n";
  EXPECT_EQ(messages(), first + first + first + first + first + first);
  EXPECT_EQ(having(outcome.records, {{"type", "egress.request"}, {"phase", "end"}, {"reason", "secret_found"}}).size(), 6u);
  EXPECT_EQ(having(outcome.records, {{"type", "dlp.finding"}, {"action", "block"}}).size(), 6u);
}

class WebSocketOverHttp2 : public WebSocket {};

/// An extended CONNECT (RFC 8441) of Node, which uses no proxy by itself; the server speaks HTTP/1.1.
TEST_P(WebSocketOverHttp2, AStreamBecomesOneToo) {
  if (!std::filesystem::exists("/usr/bin/node") && !std::filesystem::exists("/usr/local/bin/node"))
    GTEST_SKIP() << "no node here";
  constexpr char kScript[] = R"(
    const session = require('http2').connect('https://socket.example');
    session.on('error', error => { console.log(error.message); process.exit(1); });
    session.on('remoteSettings', () => {
      const stream = session.request({':method': 'CONNECT', ':protocol': 'websocket', ':path': '/live', 'sec-websocket-version': '13'});
      stream.on('response', head => { console.log(head[':status']); stream.write(Buffer.from('\x81\x85\0\0\0\0hello', 'latin1')); });
      stream.on('data', frame => { console.log(frame.toString('latin1').slice(2)); stream.end(Buffer.from('\x88\x80\0\0\0\0', 'latin1')); });
      stream.on('close', () => session.close());
    });
    session.on('close', () => process.exit(0));)";
  auto const outcome = run({"node", "-e", kScript});
  EXPECT_THAT(outcome.out, testing::StartsWith("200\nhello\n")) << outcome.err;
  EXPECT_EQ(
      having(outcome.records, {{"type", "egress.request"}, {"phase", "verdict"}, {"method", "GET"}, {"path", "/live"}})
          .size(),
      1u)
      << print(outcome.records);
}

INSTANTIATE_TEST_SUITE_P(Legs, WebSocket, testing::Values("connect", "transparent"),
                         [](auto const& each) { return std::string(each.param); });

INSTANTIATE_TEST_SUITE_P(Legs, WebSocketOverHttp2, testing::Values("transparent"));

}  // namespace
}  // namespace sallyport::test
