#pragma once
// Frames to one side of a WebSocket. Only whole frames are written, so that a Close frame may follow at any time; those to
// a server are masked with keys of the gateway's own. Thread: its worker's. Source: RFC 6455 sections 5 and 7.1.

#include "proxy/message_body.hpp"
#include "proxy/wakeup.hpp"
#include "proxy/websocket_checker.hpp"

#include <cstdint>
#include <string>
#include <string_view>

namespace sallyport::proxy {

/// A part of a message. Its place in the message is known from those before.
struct MessagePart {
  Opcode opcode = Opcode::binary;  // of the message
  Packed packed = Packed::no;
  std::string_view payload;
  bool last = false;
};

class WebSocketWriter {
 public:
  /// `receiver`: who reads what is written. Lifetime: `to` outlives it.
  WebSocketWriter(BodySink& to, WebSocketSide receiver, Executor executor)
      : to_(to), receiver_(receiver), free_(std::move(executor)) {}

  /// One frame. What is viewed outlives the await. Code::closed behind a Close frame.
  awaitable<Result<void>> send(MessagePart part);
  awaitable<Result<void>> send_control(Opcode opcode, std::string_view payload);
  /// A Close frame, unless one was sent; may be called while somebody else sends. `reason` has at most 123 bytes.
  awaitable<Result<void>> close(std::uint16_t code, std::string_view reason);

 private:
  awaitable<Result<void>> write(FrameHead head, std::string_view payload);

  BodySink& to_;
  WebSocketSide receiver_;
  Wakeup free_;
  std::string frame_;
  bool in_message_ = false;
  bool closed_ = false;  // a Close frame was sent, or is about to be
  bool writing_ = false;
};

}  // namespace sallyport::proxy
