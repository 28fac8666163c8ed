#include "proxy/websocket_writer.hpp"

#include "tests/proxy/stream_pair.hpp"
#include "tests/proxy/websocket_frames.hpp"

namespace sallyport::tests {
namespace {

using namespace std::string_view_literals;
using proxy::MessagePart;
using proxy::Opcode;
using proxy::Packed;
using proxy::WebSocketSide;
using proxy::WebSocketWriter;

/// Keeps what is written; a write waits until it is let go where that is asked for.
class Kept final : public proxy::BodySink {
 public:
  explicit Kept(asio::io_context& io) : gate(io.get_executor()) {}
  awaitable<Result<void>> write(proxy::BodyPiece piece, std::vector<proxy::Field> const&) override {
    if (holds) co_await gate.wait();
    bytes += piece.content;
    co_return Result<void>();
  }
  std::string bytes;
  bool holds = false;
  proxy::Wakeup gate;
};

struct WebSocketWriterTest : testing::Test {
  asio::io_context io;
  Kept sink{io};
  WebSocketWriter to_client{sink, WebSocketSide::client, io.get_executor()};
};

TEST_F(WebSocketWriterTest, PartsOfAMessageAreItsFragments) {
  EXPECT_TRUE(run(io, to_client.send({Opcode::text, Packed::yes, "Hel", false})));
  EXPECT_TRUE(run(io, to_client.send_control(Opcode::ping, "?")));
  EXPECT_TRUE(run(io, to_client.send({Opcode::text, Packed::yes, "lo", true})));
  EXPECT_TRUE(run(io, to_client.send({Opcode::binary, Packed::no, "x", true})));
  EXPECT_EQ(sink.bytes, "\x41\x03Hel\x89\x01?\x80\x02lo\x82\x01x"sv);
}

TEST_F(WebSocketWriterTest, ServersGetMaskedFrames) {
  WebSocketWriter to_server(sink, WebSocketSide::server, io.get_executor());
  EXPECT_TRUE(run(io, to_server.send({Opcode::text, Packed::no, "Hello", true})));
  auto const step = proxy::parse_frame_head(sink.bytes);
  auto const& [head, head_bytes] = std::get<proxy::Parsed<proxy::FrameHead>>(step);
  ASSERT_TRUE(head.mask);
  auto payload = sink.bytes.substr(head_bytes);
  proxy::apply_mask(payload.data(), payload.size(), *head.mask, 0);
  EXPECT_EQ(payload, "Hello");
}

TEST_F(WebSocketWriterTest, NothingGoesBehindACloseFrame) {
  EXPECT_TRUE(run(io, to_client.close(1008, "no")));
  EXPECT_EQ(sink.bytes, "\x88\x04\x03\xf0no"sv);
  EXPECT_EQ(run(io, to_client.send({Opcode::text, Packed::no, "x", true})).error().code, Code::closed);
  EXPECT_EQ(run(io, to_client.send_control(Opcode::pong, "")).error().code, Code::closed);
  EXPECT_TRUE(run(io, to_client.close(1000, ""))) << "there is one";
  EXPECT_EQ(sink.bytes.size(), 6u);
}

TEST_F(WebSocketWriterTest, ACloseWaitsForTheFrameUnderWay) {
  sink.holds = true;
  std::optional<Result<void>> sent, closed;
  auto first =
      asio::co_spawn(io, keep_result(sent, to_client.send({Opcode::text, Packed::no, "Hello", true})), asio::use_future);
  auto second = asio::co_spawn(io, keep_result(closed, to_client.close(1001, "")), asio::use_future);
  io.restart();
  io.poll();
  EXPECT_FALSE(closed);
  sink.holds = false;
  sink.gate.notify();
  run_until(io, std::move(first));
  run_until(io, std::move(second));
  EXPECT_EQ(sink.bytes, "\x81\x05Hello\x88\x02\x03\xe9"sv);
}

}  // namespace
}  // namespace sallyport::tests
