#pragma once
// Time as a dependency, so that tests can set it. Any thread.

#include <chrono>

namespace sallyport {

class Clock {
 public:
  virtual ~Clock() = default;
  virtual std::chrono::steady_clock::time_point now() const = 0;
  /// Wall-clock time, for records that people read. May jump; never used for deadlines.
  virtual std::chrono::system_clock::time_point wall_now() const = 0;
};

class SystemClock final : public Clock {
 public:
  std::chrono::steady_clock::time_point now() const override { return std::chrono::steady_clock::now(); }
  std::chrono::system_clock::time_point wall_now() const override { return std::chrono::system_clock::now(); }
};

}  // namespace sallyport
