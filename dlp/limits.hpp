#pragma once
// Every numeric limit of the scanner. Sizes in bytes.

#include <cstddef>
#include <cstdint>

namespace sallyport::dlp {

inline constexpr std::size_t kBlockBytes = 128 * 1024;    // a stream is judged in blocks of this size
inline constexpr std::size_t kLookAhead = 16 * 1024;      // bytes seen behind a block: the longest secret, coded
inline constexpr std::size_t kLookBehind = 2 * 1024;      // bytes seen before a block
inline constexpr std::size_t kSplitReach = 512;           // within which the pieces of a split token must stand
inline constexpr int kMaxDepth = 5;                       // codings inside one another
inline constexpr int kMaxUnescapeRounds = 10;             // "%2525…" within one layer
inline constexpr std::size_t kMinCodedRun = 20;           // digits: a secret of 15 bytes in base 64
inline constexpr std::size_t kMinTextRun = 12;            // printable bytes in a row, for decoded bytes to be no noise
inline constexpr std::size_t kLongNoise = 4 * 1024;       // decoded bytes, of which more must be printable in a row
inline constexpr std::size_t kMinLongTextRun = 16;
inline constexpr std::size_t kMaxJoined = 256 * 1024;     // of a message whose values are also read as one text
inline constexpr std::size_t kJoinedOverlap = 32 * 1024;  // of one such stretch of a stream with the next
inline constexpr std::size_t kMaxFindings = 256;          // of one message; the count goes on
inline constexpr std::size_t kMaxMatchBytes = 8 * 1024;   // slice that a pattern sees
inline constexpr std::size_t kDecodeAllowance = 16 * 1024 * 1024;  // decoded output that any message may have
inline constexpr std::size_t kDecodeFactor = 200;                  // and so much more for each byte of the message
inline constexpr std::size_t kUnpackChunk = 64 * 1024;
inline constexpr std::size_t kMaxInlineUnpack = 1024 * 1024;     // of a compressed stream inside a decoded text
inline constexpr std::int64_t kPatternMemory = 8 * 1024 * 1024;  // RE2's budget for one pattern

static_assert(kLookAhead >= 2 * kMaxMatchBytes);

}  // namespace sallyport::dlp
