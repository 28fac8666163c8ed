#pragma once
// What one side of a WebSocket sends, from bytes to pieces of messages: frames are checked, unmasked, and end here. No I/O.
// Hardened against hostile bytes. Source: RFC 6455 section 5. Does not undo compression.

#include "proxy/websocket_checker.hpp"

#include <cstdint>
#include <string>
#include <string_view>

namespace sallyport::proxy {

struct WebSocketPiece {
  enum class Kind { nothing, data, control };
  Kind kind = Kind::nothing;       // of what is consumed nothing has a meaning yet
  Opcode opcode = Opcode::binary;  // of the message: never continuation
  Packed packed = Packed::no;      // the message is compressed
  bool first = false;              // of its message
  bool last = false;               // of its message; a control frame is in one piece
  std::string_view payload = {};   // valid until the next call; may be empty
};

class WebSocketReader {
 public:
  WebSocketReader(WebSocketSide sender, Compression compression) : checker_(sender, compression) {}

  struct Step {
    std::size_t consumed = 0;  // of `bytes`, at least one
    WebSocketPiece piece;
  };
  /// The next piece of what begins with `bytes`. After an error nothing more may be read. REQUIRES: `bytes` is not empty.
  Result<Step> next(std::string_view bytes);

 private:
  Result<Step> take_head(std::string_view bytes);
  Step take_data(std::string_view bytes);
  Result<Step> take_control(std::string_view bytes);
  std::string_view unmask(std::string_view bytes);

  WebSocketChecker checker_;
  std::string head_bytes_;  // of a frame head that is not whole yet
  FrameHead frame_;
  bool in_frame_ = false;
  std::uint64_t taken_ = 0;  // of the frame's payload
  Opcode message_ = Opcode::binary;
  Packed packed_ = Packed::no;
  bool at_start_ = true;  // no piece of the message has been given
  std::string control_;   // payload of a control frame
  std::string payload_;
};

}  // namespace sallyport::proxy
