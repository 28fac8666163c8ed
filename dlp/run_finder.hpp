#pragma once
// Finds long runs of bytes that belong to a set, at a few gigabytes a second. Immutable; any thread.

#include "dlp/byte_set.hpp"
#include "dlp/literal_filter.hpp"
#include "dlp/span.hpp"

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace sallyport::dlp {

class RunFinder {
 public:
  /// REQUIRES a set of ASCII bytes but zero, and min >= kMinRun.
  RunFinder(ByteSet set, std::size_t min);

  /// Appends every maximal run of `min` bytes or more, in order.
  void find(std::string_view text, std::vector<Span>& runs, Lanes lanes = best_lanes()) const;

  /// Whether every byte of `text` belongs to the set.
  bool covers(std::string_view text, Lanes lanes = best_lanes()) const;

  static constexpr std::size_t kMinRun = 16;

 private:
  std::uint64_t mask_scalar(char const* bytes, std::size_t count) const;
  std::uint64_t mask_avx2(char const* bytes) const;
  std::uint64_t mask_wide(char const* bytes, std::size_t count) const;
  void take(std::uint64_t mask, std::size_t at, std::size_t& open, std::vector<Span>& runs) const;
  void find_scalar(std::string_view text, std::vector<Span>& runs) const;
  void find_wide(std::string_view text, std::vector<Span>& runs) const;
  void add_inner_runs(std::uint64_t mask, std::size_t at, std::vector<Span>& runs) const;

  ByteSet set_;
  std::size_t min_;
  // A byte belongs to the set if low_[its low half] and high_[its high half] share a bit.
  alignas(16) std::array<std::uint8_t, 16> low_{};
  alignas(16) std::array<std::uint8_t, 16> high_{};
};

}  // namespace sallyport::dlp
