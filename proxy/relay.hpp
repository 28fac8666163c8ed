#pragma once
// Bytes both ways between a client and its upstream, as they are. Does not inspect and does not count towards any budget.

#include "base/result.hpp"
#include "proxy/activity.hpp"
#include "proxy/splice_pipes.hpp"
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

/// Copies until both directions have ended, one fails, nothing moves for `idle`, or `activity` is revoked; nothing when it
/// is already. The end of one direction is passed on and the other goes on (half-close); a reset, an idle end or a
/// revocation resets both sides. What either holds buffered goes first. Bulk goes through a pipe in the kernel
/// (proxy/splice_pipes), what is small or finds no pipe through memory of this process. Thread: its worker's. Lifetime:
/// streams, activity and pipes outlive the await. REQUIRES: both streams plain, and the verdict is written to the audit
/// log.
awaitable<RelayEnd> relay(Stream& client, Stream& upstream, Activity& activity, std::chrono::milliseconds idle,
                          SplicePipes& pipes);

}  // namespace sallyport::proxy
