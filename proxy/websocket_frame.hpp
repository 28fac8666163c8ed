#pragma once
// The head of a WebSocket frame, and the mask of its payload. Pure; any thread. Hardened against hostile bytes.
// Source: RFC 6455 sections 5.2, 5.3. Which frames may follow one another: proxy/websocket_checker.hpp.

#include "base/result.hpp"
#include "proxy/request_head.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

namespace sallyport::proxy {

enum class Opcode : std::uint8_t { continuation = 0, text = 1, binary = 2, close = 8, ping = 9, pong = 10 };
inline bool is_control(Opcode opcode) { return opcode >= Opcode::close; }

enum class Fin : bool { no, yes };     // more frames of this message follow, or none
enum class Packed : bool { no, yes };  // RSV1: the message is compressed (RFC 7692 section 6)
using MaskingKey = std::array<unsigned char, 4>;

struct FrameHead {
  Opcode opcode = Opcode::continuation;
  Fin fin = Fin::yes;
  Packed packed = Packed::no;
  std::optional<MaskingKey> mask = std::nullopt;
  std::uint64_t length = 0;  // of the payload
  bool operator==(FrameHead const&) const = default;
};

/// Errors: RSV2 or RSV3, an opcode nobody has defined, a length that fits in fewer bytes or is not below 2^63.
using FrameHeadStep = std::variant<NeedMore, Parsed<FrameHead>, Error>;
FrameHeadStep parse_frame_head(std::string_view buffer);

/// REQUIRES: head.length is below 2^63.
void append_frame_head(std::string& out, FrameHead const& head);

/// Masks, or unmasks, payload that stands at `offset` in its frame.
void apply_mask(char* bytes, std::size_t size, MaskingKey const& key, std::uint64_t offset);

}  // namespace sallyport::proxy
