#pragma once
// A compressed stream inside another stream: optionally base 64, then a decompressor, then a StreamScan for what comes out.
// One thread at a time.

#include "dlp/decompressor.hpp"
#include "dlp/stream_scan.hpp"

#include <memory>
#include <string>
#include <string_view>

namespace sallyport::dlp {

/// Decodes base-64 digits as they come; line ends, also as written in JSON, are passed over. Ends at any other byte.
class Base64Feed {
 public:
  explicit Base64Feed(std::size_t skip_digits) : skip_digits_(skip_digits) {}
  /// Appends to `out`. False when the digits have ended.
  bool feed(std::string_view text, std::string& out);

 private:
  std::size_t skip_digits_;
  bool escaped_ = false;  // the byte before was a backslash
  std::string digits_;    // fewer than four, waiting for more
};

class PackedStream {
 public:
  /// REQUIRES stream.coding is one that make_decompressor knows.
  PackedStream(StreamScan::Shared const& shared, OpenStream const& stream, Origin inner);

  StreamState feed(std::string_view bytes);
  void finish() { inner_.finish(); }

  std::uint64_t fed_inside() const { return produced_; }
  std::uint64_t clear_inside() const { return inner_.clear_up_to(); }

 private:
  StreamState unpack(std::string_view bytes);

  DecodeBudget& budget_;
  FindingLog& log_;
  std::uint64_t offset_;  // of the stream in the message, for a finding that it is too large
  std::unique_ptr<Base64Feed> base64_;
  std::size_t skip_bytes_;
  std::unique_ptr<Decompressor> decompressor_;
  std::string chunk_;
  std::uint64_t produced_ = 0;
  StreamScan inner_;
};

}  // namespace sallyport::dlp
