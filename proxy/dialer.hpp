#pragma once
// connect(): the only place of the product that opens a connection to the outside (RFC 8305, Happy Eyeballs version 2).
// It takes nothing but addresses that the policy engine admitted.

#include "base/asio.hpp"
#include "base/limits.hpp"
#include "base/result.hpp"
#include "policies/allowed.hpp"

#include <chrono>
#include <vector>

namespace sallyport::proxy {

struct Dialed {
  Socket socket;                       // connected, TCP_NODELAY
  policies::AllowedEndpoint endpoint;  // the one that answered first
  std::chrono::microseconds took{0};
};

struct DialTimes {
  std::chrono::milliseconds attempt_delay = limits::kConnectAttemptDelay;  // before the next address is tried as well
  std::chrono::milliseconds total = limits::kConnectTimeout;
};

class Dialer {
 public:
  explicit Dialer(DialTimes times = {}) : times_(times) {}

  /// Families take turns, IPv6 first; the next attempt starts when the last one failed or after the attempt delay; the
  /// first that connects wins and the others are closed. Code::limit when none does in time, Code::os when all failed.
  /// Thread: its worker's. Cancel-safe: a cancelled call closes every socket it opened.
  /// REQUIRES: at least one endpoint, each with an address and without an upstream proxy. Does not retry and does not send a byte.
  awaitable<Result<Dialed>> connect(std::vector<policies::AllowedEndpoint> endpoints) const;

 private:
  DialTimes times_;
};

/// The order of attempts: families alternate, beginning with IPv6 (RFC 8305 section 4); order within a family stays.
std::vector<policies::AllowedEndpoint> interleave_families(std::vector<policies::AllowedEndpoint> const& endpoints);

}  // namespace sallyport::proxy
