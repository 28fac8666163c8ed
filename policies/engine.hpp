#pragma once
// The only place where permission is given. Pure, const, any thread; constant time in the number of rules.
// Hardened against hostile requests. Does not resolve, connect, log, or read a clock.

#include "policies/allowed.hpp"
#include "policies/pin.hpp"
#include "policies/policy.hpp"
#include "policies/request.hpp"
#include "policies/verdict.hpp"

#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace sallyport::policies {

class RuleIndex;

class Engine {
 public:
  explicit Engine(std::shared_ptr<Policy const> policy, std::vector<Pin> pins = {});
  ~Engine();
  Engine(Engine const&) = delete;
  Engine& operator=(Engine const&) = delete;

  /// Before any DNS. Deny beats ask beats allow; no match is deny; the order of rules never matters.
  /// Scheme::tunnel is allowed when some rule could allow what follows: decide again when that is known.
  Decision<AllowedTarget> decide(Request const& request) const;

  /// After DNS: those of `addresses` that the target's rule admits, in order. Deny (address_class) when none is left.
  Decision<std::vector<AllowedEndpoint>> admit(AllowedTarget const& target, std::span<IpAddress const> addresses) const;

  /// The endpoint the operator pinned this target to, if any: it needs neither DNS nor admit().
  std::optional<AllowedEndpoint> pinned(AllowedTarget const& target) const;

  /// Whether the DNS stub answers this name: some rule could allow it on some port.
  Verdict resolvable(CanonicalHost const& name) const;

  Policy const& policy() const { return *policy_; }

 private:
  std::shared_ptr<Policy const> policy_;
  std::vector<Pin> pins_;
  std::unique_ptr<RuleIndex const> index_;
};

}  // namespace sallyport::policies
