#pragma once
// Counts what costs a peer little and us much: frames without content, and streams that it breaks off. No I/O, no clock of its own.
// Sources: RFC 9113 section 10.5; CVE-2019-9511 to 9518, CVE-2023-44487 (rapid reset), CVE-2025-8671 (resets that we are made to send).

#include "proxy/h2_limits.hpp"

#include <chrono>
#include <cstddef>

namespace sallyport::proxy {

/// `capacity` at first, and `per_second` more, never above `capacity`.
class TokenBucket {
 public:
  using TimePoint = std::chrono::steady_clock::time_point;

  TokenBucket(std::size_t capacity, std::size_t per_second, TimePoint now)
      : capacity_(static_cast<double>(capacity)), per_second_(static_cast<double>(per_second)), tokens_(capacity_), last_(now) {}

  /// False when there is none left.
  bool take(TimePoint now);
  void give(std::size_t tokens);

 private:
  double capacity_;
  double per_second_;
  double tokens_;
  TimePoint last_;
};

/// Of one connection. Thread: its worker's.
class H2FloodGuard {
 public:
  using TimePoint = TokenBucket::TimePoint;

  H2FloodGuard(H2Limits const& bounds, TimePoint now);

  /// A frame that carries no content: PING, SETTINGS, WINDOW_UPDATE, PRIORITY, RST_STREAM, empty DATA. (Frames of unknown types cost
  /// no more than their bytes: the library skips them.)
  void on_control_frame(TimePoint now);
  /// A DATA frame with content, either way: acknowledgements belong to it.
  void on_data_frame() { control_frames_.give(control_frames_per_data_); }
  /// A stream that ended early by the peer's doing.
  void on_reset(TimePoint now);

  /// What there was too much of; null while there was not.
  char const* flood() const { return flood_; }

 private:
  TokenBucket control_frames_;
  TokenBucket resets_;
  std::size_t control_frames_per_data_;
  char const* flood_ = nullptr;
};

}  // namespace sallyport::proxy
