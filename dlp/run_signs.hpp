#pragma once
// What a run of base-64 digits may hold, told before any of it is decoded, in one pass of some gigabytes a second. Most runs
// are digests, ids and long names, and hold nothing. Pure; any thread. Source: RFC 4648.

#include "dlp/lanes.hpp"

#include <string_view>

namespace sallyport::dlp {

struct RunSigns {
  /// Bit n: what the digits decode to from the n-th on may hold kMinTextRun ASCII characters in a row. Never misses one, and
  /// holds noise for text once in some tens of kilobytes.
  unsigned text = 0;
  /// Bit n: from the n-th digit on, or a multiple of four behind it, stands the head of a compressed stream in base 64.
  unsigned packed = 0;
  // Whether kMinCodedRun digits of these alphabets stand in a row.
  bool hex = false;
  bool base32 = false;
  bool lower_base32 = false;
};

/// REQUIRES that kAnyBase64 has every byte of `digits`, and that the processor has `lanes`.
RunSigns signs_of_run(std::string_view digits, Lanes lanes = best_lanes());

}  // namespace sallyport::dlp
