#pragma once
// The idle clock of a relay: bytes that move touch it, and a watcher notices when nothing did for too long.

#include "base/asio.hpp"

#include <chrono>

namespace sallyport::proxy {

class Activity {
 public:
  void touch() { last_ = std::chrono::steady_clock::now(); }
  std::chrono::steady_clock::time_point last() const { return last_; }

 private:
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

/// Returns when nothing touched `activity` for `timeout`, or when it is cancelled. One timer, not one per block.
/// Lifetime: `activity` outlives the await.
awaitable<void> wait_until_idle(Activity const& activity, std::chrono::milliseconds timeout);

}  // namespace sallyport::proxy
