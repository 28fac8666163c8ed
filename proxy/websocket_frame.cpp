#include "proxy/websocket_frame.hpp"

#include <algorithm>

namespace sallyport::proxy {
namespace {

constexpr unsigned kFinBit = 0x80;
constexpr unsigned kPackedBit = 0x40;
constexpr unsigned kOtherReservedBits = 0x30;
constexpr unsigned kOpcodeBits = 0x0f;
constexpr unsigned kMaskBit = 0x80;
constexpr unsigned kLengthBits = 0x7f;
constexpr unsigned kLengthIn16 = 126;
constexpr unsigned kLengthIn64 = 127;

unsigned byte_at(std::string_view bytes, std::size_t at) { return static_cast<unsigned char>(bytes[at]); }

std::uint64_t number_of(std::string_view bytes) {
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < bytes.size(); ++i) value = value << 8 | byte_at(bytes, i);
  return value;
}

bool is_defined(unsigned opcode) {
  bool const is_data = opcode <= static_cast<unsigned>(Opcode::binary);
  bool const is_control = opcode >= static_cast<unsigned>(Opcode::close) && opcode <= static_cast<unsigned>(Opcode::pong);
  return is_data || is_control;
}

/// How many bytes behind the first two hold the length.
std::size_t length_bytes(unsigned short_length) {
  if (short_length == kLengthIn16) return 2;
  return short_length == kLengthIn64 ? 8 : 0;
}

Result<std::uint64_t> read_length(unsigned short_length, std::string_view extended) {
  if (extended.empty()) return std::uint64_t{short_length};
  auto const length = number_of(extended);
  bool const fits_shorter = length < kLengthIn16 || (extended.size() == 8 && length <= 0xffff);
  if (fits_shorter) return Error::invalid("the length is written in more bytes than it needs");
  if (length >> 63 != 0) return Error::invalid("the length is not below 2^63");
  return length;
}

void append_number(std::string& out, std::uint64_t value, int bytes) {
  for (int shift = 8 * (bytes - 1); shift >= 0; shift -= 8) out.push_back(static_cast<char>(value >> shift & 0xff));
}

}  // namespace

FrameHeadStep parse_frame_head(std::string_view buffer) {
  constexpr std::size_t kShortest = 2;
  if (buffer.size() < kShortest) return NeedMore{};
  auto const first = byte_at(buffer, 0);
  auto const second = byte_at(buffer, 1);
  if ((first & kOtherReservedBits) != 0) return Error::invalid("a reserved bit is set");
  if (!is_defined(first & kOpcodeBits)) return Error::invalid("the opcode is not one that RFC 6455 defines");
  auto const mask_at = kShortest + length_bytes(second & kLengthBits);
  bool const is_masked = (second & kMaskBit) != 0;
  FrameHead head;
  auto const size = mask_at + (is_masked ? sizeof(MaskingKey) : 0);
  if (buffer.size() < size) return NeedMore{};
  auto const length = read_length(second & kLengthBits, buffer.substr(kShortest, mask_at - kShortest));
  if (!length) return length.error();
  head.opcode = static_cast<Opcode>(first & kOpcodeBits);
  head.fin = (first & kFinBit) != 0 ? Fin::yes : Fin::no;
  head.packed = (first & kPackedBit) != 0 ? Packed::yes : Packed::no;
  head.length = *length;
  if (is_masked) std::copy_n(buffer.begin() + mask_at, sizeof(MaskingKey), head.mask.emplace().begin());
  return Parsed<FrameHead>{head, size};
}

void append_frame_head(std::string& out, FrameHead const& head) {
  auto first = static_cast<unsigned>(head.opcode);
  if (head.fin == Fin::yes) first |= kFinBit;
  if (head.packed == Packed::yes) first |= kPackedBit;
  out.push_back(static_cast<char>(first));
  auto const masked = head.mask ? kMaskBit : 0u;
  if (head.length < kLengthIn16) {
    out.push_back(static_cast<char>(masked | static_cast<unsigned>(head.length)));
  } else if (head.length <= 0xffff) {
    out.push_back(static_cast<char>(masked | kLengthIn16));
    append_number(out, head.length, 2);
  } else {
    out.push_back(static_cast<char>(masked | kLengthIn64));
    append_number(out, head.length, 8);
  }
  if (head.mask) out.append(head.mask->begin(), head.mask->end());
}

void apply_mask(char* bytes, std::size_t size, MaskingKey const& key, std::uint64_t offset) {
  for (std::size_t i = 0; i < size; ++i)
    bytes[i] = static_cast<char>(static_cast<unsigned char>(bytes[i]) ^ key[(offset + i) % sizeof(MaskingKey)]);
}

}  // namespace sallyport::proxy
