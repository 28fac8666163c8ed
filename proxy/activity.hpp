#pragma once
// The idle clock of a relay: bytes that move touch it, and a watcher notices when nothing did for too long, or when it is revoked.

#include "base/asio.hpp"
#include "proxy/deadline.hpp"

#include <chrono>
#include <functional>
#include <string>

namespace sallyport::proxy {

/// Thread: its worker's. At most one watcher at a time.
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
  friend class IdleWatch;

  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
  std::function<void()> on_revoked_;  // of the watcher
  std::string revoked_;
};

/// Returns when nothing touched `activity` for `timeout`, when it is revoked, or when it is cancelled. One timer, not one per block.
/// Lifetime: `activity` outlives the await.
awaitable<void> wait_until_idle(Activity& activity, std::chrono::milliseconds timeout);

/// Calls `on_end` once when nothing touched `activity` for `timeout`, or when it is revoked, unless the watch is gone by then. Cheaper
/// than a coroutine that waits. Lifetime: `activity` outlives it.
class IdleWatch {
 public:
  IdleWatch(Activity& activity, Executor const& executor, std::chrono::milliseconds timeout, std::function<void()> on_end);
  IdleWatch(IdleWatch const&) = delete;
  IdleWatch& operator=(IdleWatch const&) = delete;
  ~IdleWatch();

 private:
  void look();

  Activity& activity_;
  std::chrono::milliseconds timeout_;
  std::function<void()> on_end_;
  Deadline deadline_;
};

}  // namespace sallyport::proxy
