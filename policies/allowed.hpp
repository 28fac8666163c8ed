#pragma once
// Permission objects. Only policies::Engine makes them; resolver and dialer accept nothing else.

#include "policies/address_class.hpp"
#include "policies/canonical_host.hpp"
#include "policies/upstream_proxy.hpp"
#include "policies/verdict.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace sallyport::policies {

class Engine;
struct Rule;

/// The policy allows this host and port, for the request that was decided. Copyable value; keeps its rules alive.
class AllowedTarget {
 public:
  CanonicalHost const& host() const { return host_; }
  std::uint16_t port() const { return port_; }
  Verdict const& verdict() const { return verdict_; }
  /// The rule the verdict quotes: the most specific of those that allow this request.
  Rule const& rule() const { return *rules_.front(); }

 private:
  friend class Engine;  // the only mint
  AllowedTarget(CanonicalHost host, std::uint16_t port, Verdict verdict, std::vector<std::shared_ptr<Rule const>> rules)
      : host_(std::move(host)), port_(port), verdict_(std::move(verdict)), rules_(std::move(rules)) {}
  CanonicalHost host_;
  std::uint16_t port_;
  Verdict verdict_;
  std::vector<std::shared_ptr<Rule const>> rules_;  // all that allow this request, never empty: admit() asks each
};

/// One address that an allowed target has, admitted by the address guard in this very request. Or the target itself, by name, when the
/// operator's upstream proxy looks it up.
class AllowedEndpoint {
 public:
  /// Empty when via() looks the name up.
  std::optional<IpAddress> const& address() const { return address_; }
  CanonicalHost const& host() const { return host_; }
  std::uint16_t port() const { return port_; }
  /// What is dialled instead, and asked for this endpoint; null: this endpoint is.
  std::shared_ptr<UpstreamProxy const> const& via() const { return via_; }

 private:
  friend class Engine;  // the only mint
  AllowedEndpoint(std::optional<IpAddress> address, CanonicalHost host, std::uint16_t port, std::shared_ptr<UpstreamProxy const> via = nullptr)
      : address_(address), host_(std::move(host)), port_(port), via_(std::move(via)) {}
  std::optional<IpAddress> address_;
  CanonicalHost host_;
  std::uint16_t port_;
  std::shared_ptr<UpstreamProxy const> via_;
};

}  // namespace sallyport::policies
