#pragma once
// The hash that links each record to the one before. Pure; any thread. Assumes hostile bytes.
// A line is …,"prev":"HASH","hash":"HASH"}\n where "prev" is the hash of the line before (64 zeros in the first line) and
// "hash" is SHA-256 (FIPS 180-4) over the bytes of this line up to its ,"hash":" so that no canonical form is needed.

#include <string>
#include <string_view>

namespace sallyport::audit {

inline constexpr std::string_view kPrevKey = ",\"prev\":\"";
inline constexpr std::string_view kHashKey = ",\"hash\":\"";
inline constexpr std::string_view kLineEnd = "\"}";

/// "prev" of the first line.
inline constexpr std::string_view kFirstPrev = "0000000000000000000000000000000000000000000000000000000000000000";

/// SHA-256 as 64 hexadecimal digits, lower case.
std::string sha256_hex(std::string_view bytes);

}  // namespace sallyport::audit
