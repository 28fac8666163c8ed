#include "dlp/base_n.hpp"

#include "dlp/byte_set.hpp"

#include <algorithm>
#include <array>

namespace sallyport::dlp {
namespace {

constexpr std::string_view kBase62Digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
constexpr std::string_view kBase36Digits = "0123456789abcdefghijklmnopqrstuvwxyz";
constexpr std::string_view kBase58Digits = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";
constexpr std::string_view kBase64UrlDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
constexpr std::string_view kBase32Digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
constexpr std::string_view kBase85Digits =
    "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!#$%&()*+-;<=>?@^_`{|}~";
constexpr std::uint8_t kNoDigit = 0xff;

using DigitTable = std::array<std::uint8_t, 256>;

constexpr DigitTable table_of(std::string_view digits) {
  DigitTable table{};
  table.fill(kNoDigit);
  for (std::size_t i = 0; i < digits.size(); ++i) {
    table[static_cast<unsigned char>(digits[i])] = static_cast<std::uint8_t>(i);
  }
  return table;
}

constexpr DigitTable merged(DigitTable table, DigitTable const& other) {
  for (std::size_t i = 0; i < table.size(); ++i) table[i] = std::min(table[i], other[i]);
  return table;
}

constexpr DigitTable kBase64Table = merged(table_of(kBase64Digits), table_of(kBase64UrlDigits));
constexpr DigitTable kBase32Table = merged(table_of(kBase32Digits), table_of("abcdefghijklmnopqrstuvwxyz234567"));
constexpr DigitTable kBase58Table = table_of(kBase58Digits);
constexpr DigitTable kBase85Table = table_of(kBase85Digits);

std::uint8_t digit(DigitTable const& table, char c) { return table[static_cast<unsigned char>(c)]; }

/// Digits of `Bits` bits each, most significant first.
template <unsigned Bits>
std::size_t decode_bits(std::string_view digits, DigitTable const& table, std::string& out) {
  std::uint32_t pending = 0;
  unsigned bits = 0;
  std::size_t used = 0;
  for (; used < digits.size(); ++used) {
    auto value = digit(table, digits[used]);
    if (value == kNoDigit) break;
    pending = pending << Bits | value;
    bits += Bits;
    if (bits >= 8) {
      bits -= 8;
      out += static_cast<char>(pending >> bits & 0xff);
    }
  }
  return used;
}

template <unsigned Bits>
std::string encode_bits(std::string_view bytes, std::string_view digits) {
  std::string text;
  std::uint32_t pending = 0;
  unsigned bits = 0;
  for (char byte : bytes) {
    pending = pending << 8 | static_cast<unsigned char>(byte);
    for (bits += 8; bits >= Bits; bits -= Bits) text += digits[pending >> (bits - Bits) & ((1u << Bits) - 1)];
  }
  if (bits > 0) text += digits[pending << (Bits - bits) & ((1u << Bits) - 1)];
  return text;
}

/// One group of two to five base-85 digits; false if it is out of range.
bool put_base85_group(std::array<std::uint8_t, 5> group, std::size_t count, std::string& out) {
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < group.size(); ++i) value = value * 85 + (i < count ? group[i] : 84);
  if (value > 0xffffffff) return false;
  std::array<char, 4> const bytes{static_cast<char>(value >> 24), static_cast<char>(value >> 16), static_cast<char>(value >> 8), static_cast<char>(value)};
  out.append(bytes.data(), count - 1);
  return true;
}

}  // namespace

std::size_t decode_base64(std::string_view digits, std::string& out) {
  std::size_t at = 0;
  auto start = out.size();
  out.resize(start + digits.size() / 4 * 3);
  char* to = out.data() + start;
  for (; at + 4 <= digits.size(); at += 4, to += 3) {
    std::uint32_t a = digit(kBase64Table, digits[at]), b = digit(kBase64Table, digits[at + 1]);
    std::uint32_t c = digit(kBase64Table, digits[at + 2]), d = digit(kBase64Table, digits[at + 3]);
    if (((a | b | c | d) & 0xc0) != 0) break;
    auto value = a << 18 | b << 12 | c << 6 | d;
    to[0] = static_cast<char>(value >> 16);
    to[1] = static_cast<char>(value >> 8);
    to[2] = static_cast<char>(value);
  }
  out.resize(start + at / 4 * 3);
  return at + decode_bits<6>(digits.substr(at, 4), kBase64Table, out);
}

std::size_t decode_base32(std::string_view digits, std::string& out) { return decode_bits<5>(digits, kBase32Table, out); }

std::optional<std::string> base64_bytes(std::string_view text) {
  for (int i = 0; i < 2 && text.ends_with('='); ++i) text.remove_suffix(1);
  std::string bytes;
  if (decode_base64(text, bytes) != text.size()) return std::nullopt;
  return bytes;
}

void decode_base85(std::string_view digits, std::string& out) {
  std::array<std::uint8_t, 5> group{};
  std::size_t count = 0;
  for (char c : digits) {
    auto value = digit(kBase85Table, c);
    if (value == kNoDigit) break;
    group[count++] = value;
    if (count < group.size()) continue;
    if (!put_base85_group(group, count, out)) return;
    count = 0;
  }
  if (count > 1) put_base85_group(group, count, out);
}

void decode_ascii85(std::string_view digits, std::string& out) {
  std::array<std::uint8_t, 5> group{};
  std::size_t count = 0;
  for (char c : digits) {
    if (c == ' ' || c == '\n' || c == '\r' || c == '\t') continue;
    if (c == 'z' && count == 0) {
      out.append(4, '\0');
      continue;
    }
    if (c < '!' || c > 'u') break;
    group[count++] = static_cast<std::uint8_t>(c - '!');
    if (count < group.size()) continue;
    if (!put_base85_group(group, count, out)) return;
    count = 0;
  }
  if (count > 1) put_base85_group(group, count, out);
}

std::optional<std::uint32_t> base85_group(std::string_view digits) {
  std::uint64_t value = 0;
  for (char c : digits.substr(0, 5)) {
    auto const next = digit(kBase85Table, c);
    if (next == kNoDigit) return std::nullopt;
    value = value * 85 + next;
  }
  return value <= 0xffffffff ? std::optional(static_cast<std::uint32_t>(value)) : std::nullopt;
}

std::optional<std::uint32_t> ascii85_group(std::string_view digits) {
  std::uint64_t value = 0;
  for (char c : digits.substr(0, 5)) {
    if (c < '!' || c > 'u') return std::nullopt;
    value = value * 85 + static_cast<std::uint64_t>(c - '!');
  }
  return value <= 0xffffffff ? std::optional(static_cast<std::uint32_t>(value)) : std::nullopt;
}

std::uint8_t base58_value(char c) { return digit(kBase58Table, c); }

std::optional<std::string> base58_bytes(std::string_view text) {
  if (text.size() > 256) return std::nullopt;
  std::string bytes;  // least significant first
  for (char c : text) {
    std::uint32_t carry = digit(kBase58Table, c);
    if (carry == kNoDigit) return std::nullopt;
    for (char& byte : bytes) {
      carry += static_cast<std::uint32_t>(static_cast<unsigned char>(byte)) * 58;
      byte = static_cast<char>(carry & 0xff);
      carry >>= 8;
    }
    if (carry != 0) bytes += static_cast<char>(carry);
  }
  for (char c : text) {
    if (c != '1') break;
    bytes += '\0';
  }
  std::reverse(bytes.begin(), bytes.end());
  return bytes;
}

std::string to_base(std::uint32_t value, unsigned base, std::size_t width) {
  auto digits = base == 36 ? kBase36Digits : kBase62Digits;
  std::string text;
  for (; value != 0; value /= base) text += digits[value % base];
  while (text.size() < width) text += '0';
  std::reverse(text.begin(), text.end());
  return text;
}

std::string to_base64(std::string_view bytes) {
  auto text = encode_bits<6>(bytes, kBase64Digits);
  while (text.size() % 4 != 0) text += '=';
  return text;
}

std::string to_base64_url(std::string_view bytes) { return encode_bits<6>(bytes, kBase64UrlDigits); }

std::string to_base32(std::string_view bytes) { return encode_bits<5>(bytes, kBase32Digits); }

std::string to_base58(std::string_view bytes) {
  std::string digits;  // least significant first
  for (char byte : bytes) {
    std::uint32_t carry = static_cast<unsigned char>(byte);
    for (char& d : digits) {
      carry += static_cast<std::uint32_t>(static_cast<unsigned char>(d)) << 8;
      d = static_cast<char>(carry % 58);
      carry /= 58;
    }
    for (; carry != 0; carry /= 58) digits += static_cast<char>(carry % 58);
  }
  for (char byte : bytes) {
    if (byte != '\0') break;
    digits += '\0';
  }
  std::reverse(digits.begin(), digits.end());
  for (char& d : digits) d = kBase58Digits[static_cast<unsigned char>(d)];
  return digits;
}

}  // namespace sallyport::dlp
