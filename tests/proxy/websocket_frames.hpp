#pragma once
// WebSocket frames as bytes, for tests.

#include "proxy/websocket_frame.hpp"

#include <string>
#include <string_view>

namespace sallyport::tests {

inline constexpr proxy::MaskingKey kTestMask{0x37, 0xfa, 0x21, 0x3d};

/// A frame of a server, with `head.length` as it is.
inline std::string frame_of(proxy::FrameHead head, std::string_view payload) {
  head.length = payload.size();
  std::string bytes;
  append_frame_head(bytes, head);
  auto const at = bytes.size();
  bytes.append(payload);
  if (head.mask) proxy::apply_mask(bytes.data() + at, payload.size(), *head.mask, 0);
  return bytes;
}

inline std::string server_frame(proxy::Opcode opcode, std::string_view payload, proxy::Fin fin = proxy::Fin::yes) {
  proxy::FrameHead head;
  head.opcode = opcode;
  head.fin = fin;
  return frame_of(head, payload);
}

inline std::string client_frame(proxy::Opcode opcode, std::string_view payload, proxy::Fin fin = proxy::Fin::yes) {
  proxy::FrameHead head;
  head.opcode = opcode;
  head.fin = fin;
  head.mask = kTestMask;
  return frame_of(head, payload);
}

inline std::string close_payload(unsigned code, std::string_view reason) {
  return std::string{static_cast<char>(code >> 8), static_cast<char>(code & 0xff)}.append(reason);
}

}  // namespace sallyport::tests
