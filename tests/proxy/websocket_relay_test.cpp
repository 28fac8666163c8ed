#include "proxy/websocket_relay.hpp"

#include "policies/engine.hpp"
#include "proxy/http1_body.hpp"
#include "tests/policies/load_text.hpp"
#include "tests/proxy/deflated.hpp"
#include "tests/proxy/stream_pair.hpp"
#include "tests/proxy/websocket_frames.hpp"
#include "tests/proxy/whole_text.hpp"

#include <boost/asio/post.hpp>
#include <gmock/gmock.h>

#include <thread>

namespace sallyport::tests {
namespace {

using proxy::Fin;
using proxy::Opcode;
using testing::HasSubstr;

/// Forbids what holds "secret", once the message is whole.
class WholeMessages final : public proxy::Inspection {
  proxy::Attempt<std::vector<proxy::HeadReplacement>> inspect_head(proxy::InspectedMessage const&, std::string_view) override {
    return std::vector<proxy::HeadReplacement>();
  }
  proxy::Attempt<std::unique_ptr<proxy::BodyInspector>> inspect_body(proxy::InspectedMessage const&, proxy::BodyForm) override {
    return std::unique_ptr<proxy::BodyInspector>(std::make_unique<WholeText>());
  }
  bool reads_response(proxy::InspectedMessage const&) const override { return responses; }

 public:
  bool responses = false;
};

void close(UniqueFd& fd) { UniqueFd const closed(std::move(fd)); }

/// A relay in a thread of its own, between two sockets of the test.
struct WebSocketRelayTest : testing::Test {
  asio::io_context io;
  UniqueFd listener = bound_socket(SocketKind::stream);
  UniqueFd client = connect_to(port_of(listener));
  proxy::Stream client_end = accepted_stream(io, listener);
  UniqueFd server = connect_to(port_of(listener));
  proxy::Stream server_end = accepted_stream(io, listener);
  policies::Engine engine{policies::policy_of({"{name: r, hosts: [a.example], limits: {request_body: 1KiB}}"})};
  WholeMessages inspection;
  proxy::RuleBudget budget;
  proxy::WebSocketGuard guard{inspection, budget,
                              engine
                                  .decide({policies::host_of("a.example"), 443, policies::Scheme::https, "GET",
                                           policies::CanonicalPath::from("/").value()})
                                  .value(),
                              1};
  proxy::Activity activity;
  proxy::Farewell farewell{io.get_executor()};
  proxy::WebSocketEnd end;
  std::thread runner;

  void start(std::optional<proxy::DeflateParameters> deflate = std::nullopt) {
    runner = std::thread([this, deflate] { run(io, relay(deflate)); });
  }
  awaitable<void> relay(std::optional<proxy::DeflateParameters> deflate) {
    proxy::Http1BodySource from_client(client_end, proxy::UntilClose{}), from_server(server_end, proxy::UntilClose{});
    proxy::Http1BodySink to_client(client_end, proxy::UntilClose{}), to_server(server_end, proxy::UntilClose{});
    proxy::WebSocketEnds const ends{from_client, to_client, from_server, to_server};
    co_await relay_websocket(ends, guard, deflate, activity, farewell, end);
    client_end.close();
    server_end.close();
  }
  void wait() {
    if (runner.joinable()) runner.join();
  }
  void TearDown() override {
    close(client);
    close(server);
    wait();
  }

  /// One frame as the server gets it, unmasked.
  std::string at_server() {
    auto head = receive(server.get(), 6);
    auto const step = proxy::parse_frame_head(head);
    auto const* parsed = std::get_if<proxy::Parsed<proxy::FrameHead>>(&step);
    if (parsed == nullptr || !parsed->head.mask) return "no masked frame with a short head";
    auto payload = receive(server.get(), parsed->head.length);
    proxy::apply_mask(payload.data(), payload.size(), *parsed->head.mask, 0);
    return head.substr(0, 1) + payload;
  }
  /// Both get a Close frame with this code, and nothing else.
  void expect_closed(unsigned code) {
    EXPECT_EQ(at_server().substr(0, 3), "\x88" + close_payload(code, ""));
    shutdown_send(server.get());
    EXPECT_EQ(receive_to_end(server.get()), "");
    auto const to_client = receive_to_end(client.get());
    EXPECT_EQ(to_client.substr(0, 1), "\x88");
    EXPECT_EQ(to_client.substr(2, 2), close_payload(code, ""));
    wait();
  }
};

TEST_F(WebSocketRelayTest, MessagesPassBothWaysAndAreCounted) {
  start();
  send_all(client.get(), client_frame(Opcode::text, "Hel", Fin::no) + client_frame(Opcode::ping, "?") +
                             client_frame(Opcode::continuation, "lo"));
  EXPECT_EQ(at_server(), "\x89?");
  EXPECT_EQ(at_server(), "\x81Hello");
  send_all(server.get(), server_frame(Opcode::pong, "?") + server_frame(Opcode::binary, "back"));
  EXPECT_EQ(receive(client.get(), 9), server_frame(Opcode::pong, "?") + server_frame(Opcode::binary, "back"));
  send_all(client.get(), client_frame(Opcode::close, close_payload(1000, "")));
  EXPECT_EQ(at_server(), "\x88\x03\xe8");
  send_all(server.get(), server_frame(Opcode::close, close_payload(1000, "")));
  close(server);
  wait();
  EXPECT_EQ(receive_to_end(client.get()), server_frame(Opcode::close, close_payload(1000, "")));
  EXPECT_EQ(end.error, "");
  EXPECT_EQ(end.messages_up, 1u);
  EXPECT_EQ(end.messages_down, 1u);
  EXPECT_EQ(end.bytes_up, 5u);
  EXPECT_EQ(end.bytes_down, 4u);
}

TEST_F(WebSocketRelayTest, AMessageThatMustNotGoClosesBothBeforeItsLastFrame) {
  start();
  send_all(client.get(), client_frame(Opcode::text, "first") + client_frame(Opcode::text, "a sec", Fin::no) +
                             client_frame(Opcode::continuation, "ret"));
  EXPECT_EQ(at_server(),
            "\x81"
            "first");
  expect_closed(1008);
  EXPECT_EQ(end.refusal->verdict.reason, policies::reason::kSecret);
  EXPECT_EQ(end.messages_up, 1u);
}

TEST_F(WebSocketRelayTest, ASecretInAControlFrameDoesNotGoEither) {
  start();
  send_all(client.get(), client_frame(Opcode::ping, "a secret"));
  expect_closed(1008);
}

TEST_F(WebSocketRelayTest, ASecretInACompressedMessageDoesNotGo) {
  start(proxy::DeflateParameters{});
  proxy::FrameHead head{Opcode::text, Fin::yes, proxy::Packed::yes, kTestMask, 0};
  Deflater deflater;
  auto const harmless = deflater.message("a harmless message");
  send_all(client.get(), frame_of(head, harmless) + frame_of(head, deflater.message("a secret message")));
  EXPECT_EQ(at_server(), "\xc1" + harmless);
  expect_closed(1008);
}

TEST_F(WebSocketRelayTest, WhatTheServerSendsIsLookedAtWhereResponsesAre) {
  inspection.responses = true;
  start(proxy::DeflateParameters{});
  proxy::FrameHead const head{Opcode::text, Fin::yes, proxy::Packed::yes, std::nullopt, 0};
  Deflater deflater;
  auto const harmless = frame_of(head, deflater.message("a harmless message"));
  send_all(server.get(), harmless);
  EXPECT_EQ(receive(client.get(), harmless.size()), harmless);
  send_all(server.get(), frame_of(head, deflater.message("a secret message")));
  expect_closed(1008);
  EXPECT_EQ(end.error, "a message of the server must not go on");
}

TEST_F(WebSocketRelayTest, WhatTheServerSendsMayHoldASecretOtherwise) {
  start();
  send_all(server.get(), server_frame(Opcode::text, "a secret"));
  EXPECT_EQ(receive(client.get(), 10), server_frame(Opcode::text, "a secret"));
}

TEST_F(WebSocketRelayTest, TextThatIsNotUtf8EndsIt) {
  start();
  send_all(client.get(), client_frame(Opcode::binary, "\xff") + client_frame(Opcode::text, "\xff"));
  EXPECT_EQ(at_server(), "\x82\xff");
  expect_closed(1007);
  EXPECT_THAT(end.error, HasSubstr("of the client: a text message that is not UTF-8"));
}

TEST_F(WebSocketRelayTest, TextOfTheServerIsUtf8Too) {
  start();
  send_all(server.get(), server_frame(Opcode::text, "\xff"));
  expect_closed(1007);
}

TEST_F(WebSocketRelayTest, WhatIsMoreThanTheRuleAllowsDoesNotGo) {
  start();
  send_all(client.get(),
           client_frame(Opcode::text, std::string(100, 'x')) + client_frame(Opcode::binary, std::string(1000, 'x')));
  EXPECT_EQ(at_server().size(), 101u);
  expect_closed(1008);
  EXPECT_EQ(end.refusal->verdict.reason, policies::reason::kRequestBody);
}

TEST_F(WebSocketRelayTest, AFarewellClosesBothAlsoInTheMiddleOfAMessage) {
  start();
  send_all(client.get(), client_frame(Opcode::text, "half", Fin::no));
  send_all(server.get(), server_frame(Opcode::text, "half", Fin::no));
  EXPECT_EQ(receive(client.get(), 6), server_frame(Opcode::text, "half", Fin::no));
  asio::post(io, [this] { farewell.say(); });
  expect_closed(1008);
}

TEST_F(WebSocketRelayTest, WhoBreaksTheProtocolEndsIt) {
  start();
  send_all(client.get(), server_frame(Opcode::text, "bare"));
  expect_closed(1002);
  EXPECT_THAT(end.error, HasSubstr("of the client"));
}

TEST_F(WebSocketRelayTest, AServerThatMasksEndsIt) {
  start();
  send_all(server.get(), client_frame(Opcode::text, "masked"));
  expect_closed(1002);
  EXPECT_THAT(end.error, HasSubstr("of the server"));
}

TEST_F(WebSocketRelayTest, CompressionThatWasNotAgreedOnEndsIt) {
  start();
  proxy::FrameHead const head{Opcode::text, Fin::yes, proxy::Packed::yes, kTestMask, 0};
  send_all(client.get(), frame_of(head, Deflater().message("x")));
  expect_closed(1002);
}

TEST_F(WebSocketRelayTest, WhoGoesAwayWithoutACloseFrameIsNamed) {
  start();
  close(client);
  wait();
  EXPECT_EQ(end.error, "the client went away without a Close frame");
}

}  // namespace
}  // namespace sallyport::tests
