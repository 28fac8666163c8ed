#pragma once
// Most numerals in traffic are digests and random ids, which decode to noise. Tells that apart from what is worth a search,
// some gigabytes a second. Pure; any thread.

#include "dlp/lanes.hpp"

#include <string_view>

namespace sallyport::dlp {

/// Whether kMinTextRun printable bytes stand in a row; of kLongNoise bytes and more, kMinLongTextRun.
bool has_text_run(std::string_view bytes, Lanes lanes = best_lanes());

/// False for bytes that have a text run, are text in UTF-8 or UTF-16, or hold the head of a compressed stream.
bool is_noise(std::string_view bytes, Lanes lanes = best_lanes());

/// Nearly all bytes are printable ASCII or white space.
bool is_mostly_text(std::string_view bytes);

/// Where the first two bytes of a head of gzip, zlib, zstd or zip stand at or after `from`; npos if nowhere.
std::size_t find_head_bytes(std::string_view text, std::size_t from, Lanes lanes = best_lanes());

}  // namespace sallyport::dlp
