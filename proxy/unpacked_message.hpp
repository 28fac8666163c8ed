#pragma once
// Undoes the compression of one message as it comes, within a bound, and knows how much of the packed bytes a judgement of the plain
// ones covers. One thread at a time; no I/O. Hardened against hostile bytes.

#include "dlp/decode_budget.hpp"
#include "dlp/decompressor.hpp"

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace sallyport::proxy {

class UnpackedMessage {
 public:
  /// REQUIRES: a coding that make_decompressor() knows.
  explicit UnpackedMessage(dlp::Coding coding);

  enum class Unpacked { good, broken, too_large };
  /// `plain` is called with what comes out. Not good: nothing may be fed any more.
  Unpacked feed(std::string_view packed, std::function<void(std::string_view)> const& plain);
  /// Whether the compressed stream came to its end, exactly at the end of what was fed.
  bool ended() const { return state_ == dlp::StreamState::ended; }
  /// How many packed bytes may go when `plain` bytes have been judged.
  std::uint64_t packed_up_to(std::uint64_t plain);
  std::uint64_t packed_bytes() const { return packed_; }

 private:
  /// All of the plain bytes that packed bytes up to here gave.
  struct Mark {
    std::uint64_t packed;
    std::uint64_t plain;
  };
  std::unique_ptr<dlp::Decompressor> decompressor_;
  dlp::DecodeBudget budget_;
  std::string chunk_;
  dlp::StreamState state_ = dlp::StreamState::open;
  std::uint64_t packed_ = 0;
  std::uint64_t plain_ = 0;
  std::uint64_t clear_ = 0;
  std::deque<Mark> marks_;
};

}  // namespace sallyport::proxy
