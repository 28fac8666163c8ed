#pragma once
// Decodes digits of base 64 and base 16 some gigabytes a second, for runs whose bytes are known to be digits. Pure; any thread.
// Does not validate: see base_n.hpp for text that may hold anything. Source: RFC 4648.

#include "dlp/lanes.hpp"

#include <cstddef>
#include <string>
#include <string_view>

namespace sallyport::dlp {

/// What digits of either alphabet of base 64 decode to; what does not fill a byte is dropped. Stands in `buffer`, which is
/// overwritten and made larger where it must be. REQUIRES that kAnyBase64 has every byte of `digits`.
std::string_view decode_base64_run(std::string_view digits, std::string& buffer, Lanes lanes = best_lanes());

/// The same for base 16; an odd last digit is dropped. REQUIRES that kHex has every byte of `digits`.
std::string_view decode_hex_run(std::string_view digits, std::string& buffer, Lanes lanes = best_lanes());

/// Bit n: what the digits of base 16 decode to from the n-th on may hold kMinTextRun ASCII characters in a row. Never misses
/// one. Two alignments. REQUIRES as above.
unsigned text_alignments_hex(std::string_view digits, Lanes lanes = best_lanes());

}  // namespace sallyport::dlp
