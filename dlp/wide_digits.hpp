#pragma once
// Decodes digits of base 64 and base 16 some gigabytes a second, for runs whose bytes are known to be digits. Pure; any thread.
// Does not validate: see base_n.hpp for text that may hold anything. Source: RFC 4648.

#include "dlp/literal_filter.hpp"

#include <cstddef>
#include <string>
#include <string_view>

namespace sallyport::dlp {

/// Replaces `out`. Digits of either alphabet of base 64; what does not fill a byte is dropped.
/// REQUIRES that kAnyBase64 has every byte of `digits`.
void decode_base64_run(std::string_view digits, std::string& out, Lanes lanes = best_lanes());

/// Replaces `out`; an odd last digit is dropped. REQUIRES that kHex has every byte of `digits`.
void decode_hex_run(std::string_view digits, std::string& out, Lanes lanes = best_lanes());

/// Bit n: what the digits decode to from the n-th on may hold kMinTextRun ASCII characters in a row. Never misses one, and
/// holds noise for text once in some tens of kilobytes. Four alignments. REQUIRES as above.
unsigned text_alignments_base64(std::string_view digits, Lanes lanes = best_lanes());
/// The same for two alignments of base 16.
unsigned text_alignments_hex(std::string_view digits, Lanes lanes = best_lanes());

/// Bit n: from the n-th digit on, or a multiple of four behind it, stands the head of a compressed stream in base 64.
unsigned packed_alignments_base64(std::string_view digits, Lanes lanes = best_lanes());

}  // namespace sallyport::dlp
