#include "dlp/checksums.hpp"

#include "base/ascii.hpp"
#include "dlp/base_n.hpp"
#include "dlp/digest.hpp"

#include <zlib.h>

#include <array>
#include <vector>

namespace sallyport::dlp {
namespace {

constexpr std::string_view kBech32Digits = "qpzry9x8gf2tvdw0s3jn54khce6mua7l";

std::string hex_of(std::array<std::uint8_t, 4> bytes, std::string_view digits) {
  std::string text;
  for (auto byte : bytes) {
    text += digits[byte >> 4];
    text += digits[byte & 15];
  }
  return text;
}

std::uint8_t byte_of(std::uint32_t value, unsigned index) { return static_cast<std::uint8_t>(value >> (8 * index)); }

/// BIP-173: the generator polynomial over GF(32).
std::uint32_t bech32_polymod(std::vector<std::uint8_t> const& values) {
  constexpr std::array<std::uint32_t, 5> kGenerator = {0x3b6a57b2, 0x26508e6d, 0x1ea119fa, 0x3d4233dd, 0x2a1462b3};
  std::uint32_t sum = 1;
  for (auto value : values) {
    auto top = sum >> 25;
    sum = (sum & 0x1ffffff) << 5 ^ value;
    for (unsigned i = 0; i < kGenerator.size(); ++i) {
      if ((top >> i & 1) != 0) sum ^= kGenerator[i];
    }
  }
  return sum;
}

}  // namespace

std::uint32_t crc32(std::string_view bytes) {
  // SAFETY: zlib takes bytes as unsigned char; the length goes with them.
  auto const* data = reinterpret_cast<unsigned char const*>(bytes.data());
  return static_cast<std::uint32_t>(::crc32_z(0, data, bytes.size()));
}

bool has_crc32_base62(std::string_view token) {
  auto start = token.find('_') + 1;  // 0 if there is none
  if (token.size() < start + 6) return false;
  auto body = token.substr(start, token.size() - start - 6);
  return token.substr(token.size() - 6) == to_base(crc32(body), 62, 6);
}

bool has_crc32_base36(std::string_view token) {
  if (token.size() < 7) return false;
  return token.substr(token.size() - 7) == to_base(crc32(token.substr(0, token.size() - 7)), 36, 7);
}

bool has_crc32_hex(std::string_view token) {
  if (token.size() < 8) return false;
  auto sum = crc32(token.substr(0, token.size() - 8));
  return token.substr(token.size() - 8) ==
         hex_of({byte_of(sum, 3), byte_of(sum, 2), byte_of(sum, 1), byte_of(sum, 0)}, "0123456789ABCDEF");
}

bool has_crc32_hex_little(std::string_view token) {
  if (token.size() < 9) return false;
  auto sum = crc32(token.substr(0, token.size() - 9));
  return token.substr(token.size() - 8) ==
         hex_of({byte_of(sum, 0), byte_of(sum, 1), byte_of(sum, 2), byte_of(sum, 3)}, "0123456789abcdef");
}

bool has_sha256_base32(std::string_view token) {
  constexpr std::size_t kLastPart = 59, kBefore = 43, kDigits = 8;
  if (token.size() < kLastPart) return false;
  auto start = token.size() - kLastPart + kBefore;
  auto digest = sha256(token.substr(0, start));
  // SAFETY: the digest's bytes are read as characters.
  auto base32 = to_base32({reinterpret_cast<char const*>(digest.data()), digest.size()});
  return token.substr(start, kDigits) == std::string_view(base32).substr(0, kDigits);
}

bool has_base58check(std::string_view token) {
  auto bytes = base58_bytes(token);
  if (!bytes || bytes->size() < 5) return false;
  auto body = std::string_view(*bytes).substr(0, bytes->size() - 4);
  auto once = sha256(body);
  // SAFETY: the digest's bytes are read as characters.
  auto twice = sha256({reinterpret_cast<char const*>(once.data()), once.size()});
  for (std::size_t i = 0; i < 4; ++i) {
    if (static_cast<std::uint8_t>((*bytes)[body.size() + i]) != twice[i]) return false;
  }
  return true;
}

std::string bech32_checksum(std::string_view human, std::string_view digits) {
  std::vector<std::uint8_t> values;
  for (char c : human) values.push_back(static_cast<std::uint8_t>(c >> 5));
  values.push_back(0);
  for (char c : human) values.push_back(static_cast<std::uint8_t>(c & 31));
  for (char c : digits) values.push_back(static_cast<std::uint8_t>(kBech32Digits.find(c) & 31));
  values.insert(values.end(), 6, 0);
  auto sum = bech32_polymod(values) ^ 1;
  std::string text;
  for (unsigned i = 0; i < 6; ++i) text += kBech32Digits[sum >> (5 * (5 - i)) & 31];
  return text;
}

bool has_bech32(std::string_view token) {
  auto text = lower_case(token);
  auto separator = text.rfind('1');
  if (separator == std::string::npos || text.size() < separator + 7) return false;
  auto digits = text.substr(separator + 1, text.size() - separator - 7);
  return text.substr(text.size() - 6) == bech32_checksum(text.substr(0, separator), digits);
}

bool has_luhn(std::string_view digits) {
  int sum = 0, count = 0;
  for (auto it = digits.rbegin(); it != digits.rend(); ++it) {
    if (*it == ' ' || *it == '-') continue;
    if (*it < '0' || *it > '9') return false;
    int value = (*it - '0') * (count % 2 + 1);
    sum += value > 9 ? value - 9 : value;
    ++count;
  }
  return count >= 12 && sum % 10 == 0;
}

bool has_iban_check(std::string_view iban) {
  std::string text;
  for (char c : iban) {
    if (c != ' ') text += c;
  }
  if (text.size() < 15) return false;
  text = text.substr(4) + text.substr(0, 4);
  unsigned remainder = 0;
  for (char c : text) {
    auto value = c >= 'A' ? static_cast<unsigned>(c - 'A' + 10) : static_cast<unsigned>(c - '0');
    remainder = (remainder * (value > 9 ? 100 : 10) + value) % 97;
  }
  return remainder == 1;
}

}  // namespace sallyport::dlp
