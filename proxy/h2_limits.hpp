#pragma once
// The bounds of one HTTP/2 connection, as values: base/limits.hpp says what they are, tests make them small.

#include "base/limits.hpp"

#include <chrono>
#include <cstddef>

namespace sallyport::proxy {

struct H2Limits {
  std::size_t max_streams = limits::kH2MaxStreams;
  std::size_t stream_window = limits::kH2RequestWindowBytes;
  std::size_t connection_window = limits::kH2ConnectionWindowBytes;
  std::size_t header_list_bytes = limits::kMaxHeadBytes;
  std::size_t header_fields = limits::kMaxHeaderFields;
  std::size_t header_table_bytes = limits::kH2HeaderTableBytes;
  std::size_t max_continuations = limits::kH2MaxContinuations;
  std::size_t max_settings = limits::kH2MaxSettings;
  std::size_t max_unsent_acks = limits::kH2MaxUnsentAcks;
  std::size_t max_interim_heads = limits::kH2MaxInterimHeads;
  std::size_t control_frames = limits::kH2ControlFrames;
  std::size_t control_frames_per_second = limits::kH2ControlFramesPerSecond;
  std::size_t control_frames_per_data = limits::kH2ControlFramesPerData;
  std::size_t resets = limits::kH2Resets;
  std::size_t resets_per_second = limits::kH2ResetsPerSecond;
  std::chrono::milliseconds stall_timeout = limits::kH2StallTimeout;
  std::chrono::milliseconds keep_alive_timeout = limits::kKeepAliveTimeout;

  /// For connections of clients to us.
  static H2Limits for_clients() { return H2Limits{}; }
  /// For our connections to servers: they are further away, so more is under way.
  static H2Limits for_servers() {
    H2Limits bounds;
    bounds.stream_window = limits::kH2ResponseWindowBytes;
    return bounds;
  }
};

}  // namespace sallyport::proxy
