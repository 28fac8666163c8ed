#pragma once
// The HTTP/2 connection to a server that the requests of one client's connection share, and the turn to dial it: requests that come at
// once wait for the first of them, so that they find one connection instead of making one each. Thread: its worker's.

#include "proxy/http2_upstream.hpp"

#include <memory>
#include <optional>

namespace sallyport::proxy {

class SharedUpstream {
 public:
  struct Taken {
    std::shared_ptr<Http2Upstream> upstream;
    Endpoints endpoints;  // the one it is connected to, admitted for this request
  };
  /// The connection if it leads to `key`, takes one more stream, and `permit` admits its address: that was resolved for an earlier
  /// request, perhaps by another rule. Nothing otherwise.
  std::optional<Taken> take(UpstreamKey const& key, policies::AllowedTarget const& permit, policies::Engine const& engine) const;
  /// The next requests use this one.
  void share(std::shared_ptr<Http2Upstream> upstream) { upstream_ = std::move(upstream); }

  /// Held by the request that dials. Wakes those that wait when it goes. Lifetime: may outlive the SharedUpstream.
  class Turn {
   public:
    explicit Turn(std::shared_ptr<Timer> gate) : gate_(std::move(gate)) {}
    Turn(Turn&&) noexcept = default;
    Turn& operator=(Turn&&) = delete;
    ~Turn();

   private:
    std::shared_ptr<Timer> gate_;  // null after a move
  };
  /// The turn, if nobody has it.
  std::optional<Turn> take_turn(Executor const& executor);
  /// Until nobody has the turn: once, whatever comes then.
  awaitable<void> wait_for_turn() const;

 private:
  std::shared_ptr<Http2Upstream> upstream_;
  std::weak_ptr<Timer> dialling_;  // alive while somebody has the turn
};

}  // namespace sallyport::proxy
