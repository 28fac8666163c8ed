#pragma once
// SHA-256 and the salted digests that stand for secret values. Pure; any thread.

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace sallyport::dlp {

using Sha256 = std::array<std::uint8_t, 32>;  // FIPS 180-4

Sha256 sha256(std::string_view bytes);

/// First 128 bits of SHA-256(salt, value): names a value without telling it.
using ValueDigest = std::array<std::uint8_t, 16>;
ValueDigest value_digest(std::string_view salt, std::string_view value);
std::string to_hex(ValueDigest const& digest);

}  // namespace sallyport::dlp
