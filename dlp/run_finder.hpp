#pragma once
// Finds long runs of bytes that belong to a set, at a few gigabytes a second. Immutable; any thread.

#include "dlp/byte_mask.hpp"
#include "dlp/span.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace sallyport::dlp {

inline constexpr std::size_t kMinRun = 16;

/// Puts together runs of set bits out of masks, one for each 64 places of a text in turn.
class MaskRuns {
 public:
  /// Appends every maximal run of `min` places or more to `runs`, in order. REQUIRES min >= kMinRun.
  MaskRuns(std::size_t min, std::vector<Span>& runs) : min_(min), beyond_(std::min(min - kMinRun, kMinRun)), runs_(runs) {}

  /// The mask of the 64 places from `at` on. Most hold no run that is long enough, and are passed by with one branch.
  void take(std::uint64_t mask, std::size_t at) {
    if (mask == ~std::uint64_t{0}) return;
    auto const first = static_cast<unsigned>(std::countr_one(mask)), last = static_cast<unsigned>(std::countl_one(mask));
    auto const inner = mask >> first << first << last >> last;  // neither is 64
    auto longest = inner & inner >> 1;  // each step doubles the length that a set bit stands for: 2, 4, 8, 16
    longest &= longest >> 2;
    longest &= longest >> 4;
    longest &= longest >> 8;
    longest &= longest >> beyond_;
    bool const reached_end = at + first >= open_ + min_;
    if (reached_end | (longest != 0)) {
      if (reached_end) runs_.push_back({open_, at + first});
      add_inner(inner, longest, at);
    }
    open_ = at + 64 - last;
  }

  /// The text ends at `size`.
  void finish(std::size_t size) {
    if (open_ < size && size - open_ >= min_) runs_.push_back({open_, size});
  }

 private:
  /// Runs that lie within one mask; `longest` has a bit wherever one begins that may be long enough.
  void add_inner(std::uint64_t mask, std::uint64_t longest, std::size_t at) {
    while (longest != 0) {
      auto begin = static_cast<std::size_t>(std::countr_zero(longest));
      auto length = static_cast<std::size_t>(std::countr_one(mask >> begin));
      if (length >= min_) runs_.push_back({at + begin, at + begin + length});
      auto end = begin + length;
      longest = end >= 64 ? 0 : longest >> end << end;
    }
  }

  std::size_t min_;
  std::size_t beyond_;  // sixteen, of those that `min` asks for, up to sixteen more
  std::vector<Span>& runs_;
  std::size_t open_ = 0;  // where the run begins that reaches the next mask
};

class RunFinder {
 public:
  /// REQUIRES a set of ASCII bytes but zero, and min >= kMinRun.
  RunFinder(ByteSet set, std::size_t min);

  /// Appends every maximal run of `min` bytes or more, in order.
  void find(std::string_view text, std::vector<Span>& runs, Lanes lanes = best_lanes()) const;

 private:
  std::size_t take_all_avx2(std::string_view text, MaskRuns& runs) const;
  std::size_t take_all_avx512(std::string_view text, MaskRuns& runs) const;

  ByteMask set_;
  std::size_t min_;
};

}  // namespace sallyport::dlp
