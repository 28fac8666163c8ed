#include "proxy/websocket_lane.hpp"

#include "policies/engine.hpp"
#include "tests/policies/load_text.hpp"
#include "tests/proxy/stream_pair.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace sallyport::tests {
namespace {

using proxy::Opcode;
using proxy::WebSocketPiece;

struct Nowhere final : proxy::BodySink {
  awaitable<Result<void>> write(proxy::BodyPiece, std::vector<proxy::Field> const&) override { co_return Result<void>(); }
};

/// Notes what stands in front of each message, and looks at none.
struct Notes final : proxy::Inspection {
  proxy::Attempt<std::vector<proxy::HeadReplacement>> inspect_head(proxy::InspectedMessage const&, std::string_view) override {
    return std::vector<proxy::HeadReplacement>();
  }
  proxy::Attempt<std::unique_ptr<proxy::BodyInspector>> inspect_body(proxy::InspectedMessage const&, proxy::BodyForm form) override {
    before.emplace_back(form.before);
    return std::unique_ptr<proxy::BodyInspector>();
  }
  std::vector<std::string> before;
};

struct WebSocketLaneTest : testing::Test {
  asio::io_context io;
  Nowhere sink;
  Notes notes;
  policies::Engine engine{policies::policy_of({"{name: r, hosts: [a.example]}"})};
  policies::AllowedTarget permit =
      engine.decide({policies::host_of("a.example"), 443, policies::Scheme::https, "GET", policies::CanonicalPath::from("/").value()}).value();

  proxy::WebSocketLane lane(proxy::WebSocketSide sender) {
    auto const direction = sender == proxy::WebSocketSide::client ? proxy::Direction::request : proxy::Direction::response;
    return {sender, sink, notes, {1, permit, {}, direction}, std::nullopt, io.get_executor()};
  }
};

WebSocketPiece message(std::string_view text) { return {WebSocketPiece::Kind::data, Opcode::text, proxy::Packed::no, true, true, text}; }
WebSocketPiece ping(std::string_view text) { return {WebSocketPiece::Kind::control, Opcode::ping, proxy::Packed::no, true, true, text}; }

TEST_F(WebSocketLaneTest, EachMessageIsLookedAtWithTheEndOfThoseBefore) {
  auto from_client = lane(proxy::WebSocketSide::client);
  for (auto const* const text : {"one", "two", "three"}) ASSERT_TRUE(from_client.take_data(message(text)).value()->look());
  EXPECT_EQ(notes.before, (std::vector<std::string>{"", "one", "onetwo"}));
}

TEST_F(WebSocketLaneTest, ControlFramesAreAStreamOfTheirOwn) {
  auto from_client = lane(proxy::WebSocketSide::client);
  ASSERT_TRUE(from_client.take_data(message("data")).value()->look());
  ASSERT_TRUE(from_client.take_control(ping("a")).value()->look());
  ASSERT_TRUE(from_client.take_control(ping("b")).value()->look());
  EXPECT_EQ(notes.before, (std::vector<std::string>{"", "", "a"}));
}

TEST_F(WebSocketLaneTest, WhatTheServerSaysIsNotShownWhereNobodyReadsResponses) {
  auto from_server = lane(proxy::WebSocketSide::server);
  auto* const held = from_server.take_data(message("text")).value();
  ASSERT_TRUE(held->look());
  EXPECT_EQ(held->ready(), "text");
  EXPECT_TRUE(notes.before.empty());
}

}  // namespace
}  // namespace sallyport::tests
