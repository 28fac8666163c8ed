#pragma once
// Undoes one compressed stream, piece by piece, in constant memory. One thread at a time; no I/O.
// Formats: RFC 1952 (gzip), RFC 1950 (zlib), RFC 1951 (deflate), RFC 8878 (zstd), RFC 7932 (brotli).
// Does not bound the whole output: DecodeBudget does.

#include "dlp/finding.hpp"

#include <memory>
#include <span>
#include <string_view>

namespace sallyport::dlp {

enum class StreamState { open, ended, failed };

class Decompressor {
 public:
  virtual ~Decompressor() = default;

  struct Step {
    std::size_t consumed = 0;
    std::size_t produced = 0;
    StreamState state = StreamState::open;
  };
  /// Consumes from `in` and writes to `out` until one of them is used up, or the stream ends or fails.
  virtual Step step(std::string_view in, std::span<char> out) = 0;
};

/// For Coding::gzip, zlib, deflate, zstd, or brotli; nothing for others. Window sizes are bounded.
std::unique_ptr<Decompressor> make_decompressor(Coding coding);

/// Whether `size` bytes that begin with `first`, eight or more of them, can be brotli, which has no head to know it by: false for nearly all
/// digests, which most base 64 in traffic holds, and for what is smaller than a thirtieth of what it unpacks to.
bool may_begin_brotli(std::string_view first, std::size_t size);

/// Where a compressed stream begins in a text.
struct PackedStart {
  Coding coding = Coding::gzip;
  std::size_t position = 0;
};

/// The first place at or after `from` that looks like the head of gzip, zlib, zstd, or a deflated member of a zip file.
/// zlib streams are those of git objects and packs too.
bool find_packed(std::string_view text, std::size_t from, PackedStart& found);

}  // namespace sallyport::dlp
