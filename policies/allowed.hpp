#pragma once
// Permission objects. Only policies::Engine makes them; resolver and dialer accept nothing else.

#include "policies/address_class.hpp"
#include "policies/canonical_host.hpp"
#include "policies/verdict.hpp"

#include <cstdint>
#include <memory>
#include <utility>

namespace sallyport::policies {

class Engine;
struct Rule;

/// The policy allows this host and port, for the request that was decided. Copyable value; keeps its rule alive.
class AllowedTarget {
 public:
  CanonicalHost const& host() const { return host_; }
  std::uint16_t port() const { return port_; }
  Verdict const& verdict() const { return verdict_; }
  Rule const& rule() const { return *rule_; }

 private:
  friend class Engine;  // the only mint
  AllowedTarget(CanonicalHost host, std::uint16_t port, Verdict verdict, std::shared_ptr<Rule const> rule)
      : host_(std::move(host)), port_(port), verdict_(std::move(verdict)), rule_(std::move(rule)) {}
  CanonicalHost host_;
  std::uint16_t port_;
  Verdict verdict_;
  std::shared_ptr<Rule const> rule_;
};

/// One address an allowed target resolved to in this very request, admitted by the address guard.
class AllowedEndpoint {
 public:
  IpAddress const& address() const { return address_; }
  std::uint16_t port() const { return port_; }

 private:
  friend class Engine;  // the only mint
  AllowedEndpoint(IpAddress address, std::uint16_t port) : address_(address), port_(port) {}
  IpAddress address_;
  std::uint16_t port_;
};

}  // namespace sallyport::policies
