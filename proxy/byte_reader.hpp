#pragma once
// Takes binary messages apart from front to back. Pure; any thread. Hardened against hostile bytes.

#include <cstdint>
#include <optional>
#include <string_view>

namespace sallyport::proxy {

/// A cursor over bytes that outlive it. Every read either succeeds whole or returns nothing; nothing reads past the end.
/// Numbers are in network byte order.
class ByteReader {
 public:
  explicit ByteReader(std::string_view bytes) : bytes_(bytes) {}

  std::optional<std::uint8_t> u8() { return number<std::uint8_t, 1>(); }
  std::optional<std::uint16_t> u16() { return number<std::uint16_t, 2>(); }
  std::optional<std::uint32_t> u24() { return number<std::uint32_t, 3>(); }
  std::optional<std::string_view> take(std::size_t count) {
    if (rest().size() < count) return std::nullopt;
    auto const taken = bytes_.substr(position_, count);
    position_ += count;
    return taken;
  }
  /// A vector with a length in one or two bytes in front (RFC 8446 section 3.4).
  std::optional<std::string_view> vector8() { return sized(u8()); }
  std::optional<std::string_view> vector16() { return sized(u16()); }

  std::string_view rest() const { return bytes_.substr(position_); }
  std::size_t position() const { return position_; }
  bool at_end() const { return position_ == bytes_.size(); }

 private:
  template <class Number, std::size_t kBytes>
  std::optional<Number> number() {
    auto const raw = take(kBytes);
    if (!raw) return std::nullopt;
    std::uint32_t value = 0;
    for (char const c : *raw) value = value << 8 | static_cast<std::uint8_t>(c);
    return static_cast<Number>(value);
  }
  template <class Size>
  std::optional<std::string_view> sized(std::optional<Size> size) {
    if (!size) return std::nullopt;
    return take(*size);
  }

  std::string_view bytes_;
  std::size_t position_ = 0;
};

}  // namespace sallyport::proxy
