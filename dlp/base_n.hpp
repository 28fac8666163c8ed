#pragma once
// Numbers and bytes written in an alphabet: base16, 32, 36, 58, 62, 64, 85. Pure; any thread.
// Sources: RFC 4648; RFC 1924 and Adobe's ascii85 for base 85.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace sallyport::dlp {

/// Decodes digits of standard and URL-safe base64 as far as they go; writes what whole bytes they hold. Stops at the first
/// byte outside the alphabets. Returns how many digits were used.
std::size_t decode_base64(std::string_view digits, std::string& out);

/// The same for base 32, in either case.
std::size_t decode_base32(std::string_view digits, std::string& out);

/// Whole text or nothing; up to two '=' at the end.
std::optional<std::string> base64_bytes(std::string_view text);

/// Value of a hexadecimal digit, -1 if it is none.
constexpr int hex_value(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

/// Groups of five digits of RFC 1924's alphabet (also git's and Python's b85) to four bytes; a shorter last group too.
/// Stops at a group that is out of range.
void decode_base85(std::string_view digits, std::string& out);
/// The same for ascii85, with `z` for four zero bytes. White space is skipped.
void decode_ascii85(std::string_view digits, std::string& out);

/// RFC 4648 section 4, in the order of their values.
inline constexpr std::string_view kBase64Digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// One such group of five as a number, its first byte the highest. Nothing if it is out of range or one of them is no digit.
std::optional<std::uint32_t> base85_group(std::string_view digits);
std::optional<std::uint32_t> ascii85_group(std::string_view digits);

/// Value of a digit of base 58, 0xff if it is none.
std::uint8_t base58_value(char c);

/// Base58 of Bitcoin. Nothing if a digit is not in the alphabet or the text is longer than 256.
std::optional<std::string> base58_bytes(std::string_view text);

/// `value` in base 36 (0-9a-z) or base 62 (0-9A-Za-z), padded with '0'.
std::string to_base(std::uint32_t value, unsigned base, std::size_t width);

/// Encoders, for examples.
std::string to_base64(std::string_view bytes);
std::string to_base64_url(std::string_view bytes);  // not padded
std::string to_base32(std::string_view bytes);      // not padded
std::string to_base58(std::string_view bytes);

}  // namespace sallyport::dlp
