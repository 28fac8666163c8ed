#pragma once
// How much decoded output one message may have: in proportion to its size, so that no input costs more than a bounded time
// per byte. Shared by a scanner and the scanners of what it unpacks; one thread at a time.

#include "dlp/limits.hpp"

#include <cstddef>

namespace sallyport::dlp {

class DecodeBudget {
 public:
  void add_input(std::size_t bytes) { allowed_ += bytes * kDecodeFactor; }

  /// Accounts for `bytes` of output; false when the bound is passed, from then on for good.
  bool spend(std::size_t bytes) {
    spent_ += bytes;
    exhausted_ = exhausted_ || spent_ > allowed_;
    return !exhausted_;
  }
  bool exhausted() const { return exhausted_; }

 private:
  std::size_t allowed_ = kDecodeAllowance;
  std::size_t spent_ = 0;
  bool exhausted_ = false;
};

}  // namespace sallyport::dlp
