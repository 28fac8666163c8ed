#pragma once
// The upstream connection of a client's last request, when it may serve the next one. Thread: its worker's.

#include "proxy/egress.hpp"
#include "proxy/request_target.hpp"

#include <chrono>
#include <cstdint>
#include <optional>
#include <utility>

namespace sallyport::proxy {

/// What a connection leads to.
struct UpstreamKey {
  policies::CanonicalHost host;
  std::uint16_t port = 0;
  UrlScheme scheme = UrlScheme::http;
  bool operator==(UpstreamKey const&) const = default;
};

/// The address of a connection that exists, if `permit` admits it as it would a new one; nothing otherwise. Empty: the upstream proxy
/// looked the name up.
Endpoints admitted_again(policies::AllowedTarget const& permit, std::optional<policies::IpAddress> const& address,
                         policies::Engine const& engine);

class KeptUpstream {
 public:
  void keep(UpstreamKey key, Upstream upstream);

  struct Taken {
    Upstream upstream;
    Endpoints endpoints;  // the one it is connected to, admitted for this request
  };
  /// Gives the connection away if it leads to `key`, is still quiet, and `permit` admits its address: that was resolved for an earlier
  /// request, perhaps by another rule. A request with a body cannot be sent twice, so it gets only a connection that was used just now.
  /// Otherwise what was kept is closed.
  std::optional<Taken> take(UpstreamKey const& key, policies::AllowedTarget const& permit, BodyKind const& body,
                            policies::Engine const& engine);
  /// What it leads to; nothing if none is kept.
  std::optional<UpstreamKey> key() const { return kept_ ? std::optional(kept_->key) : std::nullopt; }

 private:
  struct Kept {
    UpstreamKey key;
    Upstream upstream;
    std::chrono::steady_clock::time_point since;
  };
  std::optional<Kept> kept_;
};

}  // namespace sallyport::proxy
