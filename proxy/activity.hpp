#pragma once
// The idle clock of a relay: bytes that move touch it, and a watcher notices when nothing did for too long, or when it is revoked.

#include "base/asio.hpp"

#include <chrono>
#include <string>

namespace sallyport::proxy {

/// Thread: the gateway's. At most one watcher at a time.
class Activity {
 public:
  Activity() = default;
  Activity(Activity const&) = delete;
  Activity& operator=(Activity const&) = delete;

  void touch() { last_ = std::chrono::steady_clock::now(); }
  std::chrono::steady_clock::time_point last() const { return last_; }

  /// It may not go on: the watcher returns now, or at once if it comes later.
  void revoke(std::string why);
  /// Why; empty while it may go on.
  std::string const& revoked() const { return revoked_; }

 private:
  friend awaitable<void> wait_until_idle(Activity& activity, std::chrono::milliseconds timeout);

  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
  Timer* watcher_ = nullptr;  // in the frame of wait_until_idle()
  std::string revoked_;
};

/// Returns when nothing touched `activity` for `timeout`, when it is revoked, or when it is cancelled. One timer, not one per block.
/// Lifetime: `activity` outlives the await.
awaitable<void> wait_until_idle(Activity& activity, std::chrono::milliseconds timeout);

}  // namespace sallyport::proxy
