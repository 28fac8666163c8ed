// One side of a WebSocket is read the same, and refused at the same frame, however its bytes are cut; what is read can be
// written and read again.

#include "base/check.hpp"
#include "proxy/websocket_reader.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace {

using namespace sallyport;
using namespace sallyport::proxy;

struct Message {
  Opcode opcode = Opcode::text;
  Packed packed = Packed::no;
  std::string payload;
  bool operator==(Message const&) const = default;
};
struct Outcome {
  std::vector<Message> messages;  // the last may be cut short
  std::string error;
  bool operator==(Outcome const&) const = default;
};

Outcome read_in_pieces(std::string_view wire, std::size_t piece_bytes, WebSocketSide sender) {
  WebSocketReader reader(sender, Compression::negotiated);
  Outcome outcome;
  std::optional<Message> open;
  while (!wire.empty()) {
    auto const step = reader.next(wire.substr(0, piece_bytes));
    if (!step) {
      outcome.error = step.error().what;
      return outcome;
    }
    check(step->consumed > 0 && step->consumed <= piece_bytes, "moves on");
    wire.remove_prefix(step->consumed);
    auto const& piece = step->piece;
    if (piece.kind == WebSocketPiece::Kind::control) {
      check(piece.payload.size() <= 125, "control frames are short");
      outcome.messages.push_back({piece.opcode, piece.packed, std::string(piece.payload)});
    }
    if (piece.kind != WebSocketPiece::Kind::data) continue;
    check(piece.first == !open, "a message begins when none is open");
    if (piece.first) open.emplace(Message{piece.opcode, piece.packed, {}});
    open->payload.append(piece.payload);
    if (!piece.last) continue;
    outcome.messages.push_back(*open);
    open.reset();
  }
  return outcome;
}

std::string written(std::vector<Message> const& messages, WebSocketSide sender) {
  std::string bytes;
  for (auto const& message : messages) {
    FrameHead head{message.opcode, Fin::yes, message.packed, std::nullopt, message.payload.size()};
    if (sender == WebSocketSide::client) head.mask = MaskingKey{1, 2, 3, 4};
    append_frame_head(bytes, head);
    auto const at = bytes.size();
    bytes.append(message.payload);
    if (head.mask) apply_mask(bytes.data() + at, message.payload.size(), *head.mask, 0);
  }
  return bytes;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
  if (size < 2) return 0;
  auto const sender = data[0] % 2 == 0 ? WebSocketSide::client : WebSocketSide::server;
  std::string_view const wire(reinterpret_cast<char const*>(data) + 2, size - 2);
  auto const whole = read_in_pieces(wire, std::max<std::size_t>(wire.size(), 1), sender);
  check(read_in_pieces(wire, 1, sender) == whole, "byte by byte it is the same");
  check(read_in_pieces(wire, 1 + data[1], sender) == whole, "cut in any other way it is the same");
  auto const again = written(whole.messages, sender);
  check(read_in_pieces(again, std::max<std::size_t>(again.size(), 1), sender) == Outcome{whole.messages, {}},
        "written and read, it is the same");
  return 0;
}
