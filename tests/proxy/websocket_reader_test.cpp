#include "proxy/websocket_reader.hpp"

#include "tests/proxy/websocket_frames.hpp"

namespace sallyport::proxy {
namespace {

using tests::client_frame;
using tests::close_payload;

/// Messages and control frames, as "text:payload|" each, or what was wrong behind them.
std::string read(std::string_view bytes, std::size_t cut) {
  WebSocketReader reader(WebSocketSide::client, Compression::none);
  std::string seen, message;
  for (auto rest = bytes; !rest.empty();) {
    auto const step = reader.next(rest.substr(0, cut));
    if (!step) return seen + step.error().what;
    EXPECT_GT(step->consumed, 0u);
    rest.remove_prefix(step->consumed);
    auto const& piece = step->piece;
    if (piece.kind == WebSocketPiece::Kind::nothing) continue;
    auto const name = std::to_string(static_cast<int>(piece.opcode)) + ":";
    if (piece.kind == WebSocketPiece::Kind::control) seen += name + std::string(piece.payload) + "|";
    if (piece.kind == WebSocketPiece::Kind::control) continue;
    EXPECT_EQ(piece.first, message.empty());
    message = (piece.first ? name : message) + std::string(piece.payload);
    if (piece.last) seen += std::exchange(message, {}) + "|";
  }
  return seen;
}

std::string stream() {
  return client_frame(Opcode::text, "Hel", Fin::no) + client_frame(Opcode::ping, "are you there") +
         client_frame(Opcode::continuation, "", Fin::no) + client_frame(Opcode::continuation, "lo") +
         client_frame(Opcode::binary, std::string(300, 'x')) + client_frame(Opcode::text, "") +
         client_frame(Opcode::close, close_payload(1000, "bye"));
}

TEST(WebSocketReader, GivesTheSameMessagesHoweverTheBytesAreCut) {
  auto const expected = "9:are you there|1:Hello|2:" + std::string(300, 'x') + "|1:|8:\x03\xe8" + "bye|";
  for (std::size_t cut = 1; cut < 40; ++cut) EXPECT_EQ(read(stream(), cut), expected) << cut;
  EXPECT_EQ(read(stream(), 1000), expected);
}

TEST(WebSocketReader, ChecksFramesAndTheirOrder) {
  EXPECT_EQ(read(tests::server_frame(Opcode::text, "x"), 100), "a frame of the client is not masked");
  EXPECT_EQ(read(client_frame(Opcode::continuation, "x"), 100), "a continuation of no message");
  EXPECT_EQ(read("\xf1", 100) + read("\xf1\x80", 100), "a reserved bit is set");
}

TEST(WebSocketReader, ChecksWhatACloseFrameSays) {
  EXPECT_EQ(read(client_frame(Opcode::close, close_payload(1005, "")), 1),
            "a Close frame with a code that must not be sent");
  EXPECT_EQ(read(client_frame(Opcode::close, ""), 1), "8:|");
}

}  // namespace
}  // namespace sallyport::proxy
