#include "proxy/h2_flood.hpp"

#include <algorithm>

namespace sallyport::proxy {

bool TokenBucket::take(TimePoint now) {
  std::chrono::duration<double> const passed = now - last_;
  last_ = now;
  tokens_ = std::min(capacity_, tokens_ + passed.count() * per_second_);
  if (tokens_ < 1) return false;
  tokens_ -= 1;
  return true;
}

void TokenBucket::give(std::size_t tokens) { tokens_ = std::min(capacity_, tokens_ + static_cast<double>(tokens)); }

H2FloodGuard::H2FloodGuard(H2Limits const& bounds, TimePoint now)
    : control_frames_(bounds.control_frames, bounds.control_frames_per_second, now),
      resets_(bounds.resets, bounds.resets_per_second, now),
      control_frames_per_data_(bounds.control_frames_per_data) {}

void H2FloodGuard::on_control_frame(TimePoint now) {
  if (!control_frames_.take(now)) flood_ = "a flood of frames without content";
}

void H2FloodGuard::on_reset(TimePoint now) {
  if (!resets_.take(now)) flood_ = "a flood of streams that are broken off";
}

}  // namespace sallyport::proxy
