#pragma once
// Which frames one side of a WebSocket may send, and in which order. No I/O. Hardened against hostile bytes.
// Source: RFC 6455 sections 5.1 (masking), 5.4 (fragmentation), 5.5 (control frames), 7.4 (close codes). Does not check
// that text is UTF-8: see held_message.hpp.

#include "proxy/websocket_frame.hpp"

namespace sallyport::proxy {

enum class WebSocketSide { client, server };
enum class Compression { none, negotiated };  // RFC 7692

class WebSocketChecker {
 public:
  WebSocketChecker(WebSocketSide sender, Compression compression) : sender_(sender), compression_(compression) {}

  /// The next frame that `sender` sends. After an error nothing more may be checked.
  Result<void> check(FrameHead const& head);

 private:
  Result<void> check_control(FrameHead const& head);
  Result<void> check_data(FrameHead const& head);

  WebSocketSide sender_;
  Compression compression_;
  bool in_message_ = false;  // its last frame has not come
  bool closed_ = false;      // a Close frame has come
};

/// The payload of a Close frame: empty, or a code that may be sent and a reason in UTF-8.
Result<void> check_close_payload(std::string_view payload);

}  // namespace sallyport::proxy
