#pragma once
// Bytes both ways between a client and its upstream, as they are. Does not inspect and does not count towards any budget.

#include "base/result.hpp"
#include "proxy/activity.hpp"
#include "proxy/stream.hpp"

#include <chrono>
#include <cstdint>
#include <string>

namespace sallyport::proxy {

struct RelayEnd {
  std::uint64_t bytes_up = 0;    // client to upstream
  std::uint64_t bytes_down = 0;  // upstream to client
  std::string error;             // why it ended early; empty when both sides closed
};

/// Copies until both directions have ended, one fails, nothing moves for `idle`, or `activity` is revoked; nothing when it is already. The end of one direction is passed on
/// and the other goes on (half-close); a reset, an idle end or a revocation resets both sides. What either holds buffered goes first.
/// Thread: the gateway's. Lifetime: streams and activity outlive the await.
/// REQUIRES: the verdict is written to the audit log.
awaitable<RelayEnd> relay(Stream& client, Stream& upstream, Activity& activity, std::chrono::milliseconds idle);

}  // namespace sallyport::proxy
