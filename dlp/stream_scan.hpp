#pragma once
// Searches a stream of any length in constant memory. One thread at a time.
// The stream is judged in blocks at fixed offsets, each with a fixed stretch of what stands before and behind it: so the
// result does not depend on how the stream was cut into pieces. Compressed streams within it, also in base 64, are followed
// across blocks by a StreamScan of their own.

#include "dlp/decode_budget.hpp"
#include "dlp/decompressor.hpp"
#include "dlp/finding_log.hpp"
#include "dlp/known_values.hpp"
#include "dlp/text_scan.hpp"

#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <string_view>

namespace sallyport::dlp {

class PackedStream;

class StreamScan {
 public:
  /// What all parts of one message share. Everything outlives the StreamScan.
  struct Shared {
    RuleSet const& rules;
    KnownValues const& known;
    DecodeBudget& budget;
    FindingLog& log;
  };

  StreamScan(Shared const& shared, Origin origin);
  ~StreamScan();
  StreamScan(StreamScan const&) = delete;
  StreamScan& operator=(StreamScan const&) = delete;

  /// The stream is compressed from its first byte. REQUIRES nothing was fed, and a coding that make_decompressor knows.
  void expect(Coding coding);
  void feed(std::string_view bytes);
  /// Judges what is left. Nothing may be fed afterwards.
  void finish();

  /// Every byte before this offset has been judged, with all that is coded in it.
  std::uint64_t clear_up_to() const;

 private:
  void judge_block(std::size_t size, std::size_t visible);
  void follow_streams(Span block, std::size_t visible);
  void feed_packed(std::string_view bytes);
  std::uint64_t offset_of(std::size_t index) const { return base_ + index; }

  /// Bytes of this stream that were given to packed_, and what its own scan had received by then.
  struct Mark {
    std::uint64_t here = 0;
    std::uint64_t inside = 0;
  };

  Shared shared_;
  Origin origin_;
  TextScan scan_;
  std::string buffer_;
  std::uint64_t base_ = 0;        // offset of buffer_[0]
  std::size_t next_ = 0;          // index in buffer_ of the next block
  std::uint64_t packed_fed_ = 0;  // offset up to which packed_ has received this stream
  std::unique_ptr<PackedStream> packed_;
  std::deque<Mark> marks_;
};

}  // namespace sallyport::dlp
