#pragma once
// Checksums that vendors put into their tokens. Each answers whether `token` carries the right one. Pure; any thread.

#include <cstdint>
#include <string>
#include <string_view>

namespace sallyport::dlp {

std::uint32_t crc32(std::string_view bytes);  // IEEE 802.3

/// prefix "_" body crc6: CRC-32 of the body in base 62.
bool has_crc32_base62(std::string_view token);
/// CRC-32 of all before the last seven characters, in base 36.
bool has_crc32_base36(std::string_view token);
/// CRC-32 of all before the last eight characters, in upper-case hexadecimal.
bool has_crc32_hex(std::string_view token);
/// CRC-32 of all before "_" and the last eight characters, as lower-case hexadecimal of its bytes, lowest first.
bool has_crc32_hex_little(std::string_view token);
/// Fine-grained GitHub tokens: characters 44-51 of the last part are base 32 of SHA-256 of all before them.
bool has_sha256_base32(std::string_view token);
/// The last four bytes are the first of SHA-256(SHA-256(rest)).
bool has_base58check(std::string_view token);
/// "AGE-SECRET-KEY-1…", upper case.
bool has_bech32(std::string_view token);
bool has_luhn(std::string_view digits);      // spaces and dashes between digits are skipped
bool has_iban_check(std::string_view iban);  // spaces are skipped

/// The six base-32 characters of bech32's checksum for a human-readable part and data digits, lower case.
std::string bech32_checksum(std::string_view human, std::string_view digits);

}  // namespace sallyport::dlp
