#pragma once
// HTTP/2 frames by hand, so that a test can send what no library would. Source: RFC 9113 section 4.1, RFC 7541 section 6.2.

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sallyport::tests::h2 {

enum Type : std::uint8_t { data, headers, priority, rst_stream, settings, push_promise, ping, goaway, window_update, continuation };
inline constexpr std::uint8_t kEndStream = 1;
inline constexpr std::uint8_t kAck = 1;
inline constexpr std::uint8_t kEndHeaders = 4;

struct Frame {
  std::uint8_t type = data;
  std::uint8_t flags = 0;
  std::uint32_t stream = 0;
  std::string payload;
};

inline std::string u32(std::uint32_t value) {
  return {static_cast<char>(value >> 24), static_cast<char>(value >> 16), static_cast<char>(value >> 8), static_cast<char>(value)};
}

inline std::string wire(Frame const& frame) {
  auto const size = u32(static_cast<std::uint32_t>(frame.payload.size())).substr(1);
  return size + static_cast<char>(frame.type) + static_cast<char>(frame.flags) + u32(frame.stream) + frame.payload;
}

inline std::uint32_t number(std::string_view bytes) {
  std::uint32_t value = 0;
  for (char const c : bytes) value = value << 8 | static_cast<std::uint8_t>(c);
  return value;
}

/// Whole frames; a rest that is none is dropped.
inline std::vector<Frame> frames_of(std::string_view bytes) {
  constexpr std::size_t kHeader = 9;
  std::vector<Frame> frames;
  while (bytes.size() >= kHeader && bytes.size() >= kHeader + number(bytes.substr(0, 3))) {
    auto const size = number(bytes.substr(0, 3));
    frames.push_back({static_cast<std::uint8_t>(bytes[3]), static_cast<std::uint8_t>(bytes[4]), number(bytes.substr(5, 4)),
                      std::string(bytes.substr(kHeader, size))});
    bytes.remove_prefix(kHeader + size);
  }
  return frames;
}

/// An integer behind a prefix of seven bits.
inline std::string length_of(std::size_t value) {
  if (value < 127) return {static_cast<char>(value)};
  std::string out{127};
  for (value -= 127; value >= 128; value /= 128) out += static_cast<char>(value % 128 + 128);
  return out + static_cast<char>(value);
}

/// Literal, not indexed, no Huffman code.
inline std::string field(std::string_view name, std::string_view value) {
  return std::string(1, '\0') + length_of(name.size()) + std::string(name) + length_of(value.size()) + std::string(value);
}

inline std::string get_block(std::string const& more = "") {
  return field(":method", "GET") + field(":scheme", "http") + field(":authority", "a.example") + field(":path", "/") + more;
}

inline std::string post_block(std::string const& more = "") {
  return field(":method", "POST") + field(":scheme", "http") + field(":authority", "a.example") + field(":path", "/") + more;
}

inline std::string request(std::uint32_t stream, std::string block, int end_stream = kEndStream) {
  return wire({headers, static_cast<std::uint8_t>(kEndHeaders | end_stream), stream, std::move(block)});
}

/// What a client sends first.
inline std::string opening() { return "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + wire({settings, 0, 0, ""}); }

/// The error code of the first frame of this type, or nothing.
inline std::string error_of(std::vector<Frame> const& frames, Type type) {
  for (auto const& frame : frames) {
    if (frame.type == type) return std::to_string(number(std::string_view(frame.payload).substr(type == goaway ? 4 : 0, 4)));
  }
  return "none";
}

}  // namespace sallyport::tests::h2
