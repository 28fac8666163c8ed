#pragma once
// The only place where permission is given. Pure, and const but for replace(); any thread while nobody calls that. Constant time in the number of rules.
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
  /// `route`: the operator's upstream proxy; null: there is none.
  explicit Engine(std::shared_ptr<Policy const> policy, std::vector<Pin> pins = {}, std::shared_ptr<UpstreamRoute const> route = nullptr);
  /// From here on `policy` decides; the pins and the route stay. Permissions that were given keep their rules alive.
  void replace(std::shared_ptr<Policy const> policy);
  ~Engine();
  Engine(Engine const&) = delete;
  Engine& operator=(Engine const&) = delete;

  /// Before any DNS. Deny beats ask beats allow; no match is deny; the order of rules never matters.
  /// Scheme::tunnel is allowed when some rule could allow what follows: decide again when that is known. Scheme::tls and
  /// Scheme::raw are bytes that stay closed: refused as inspection_unavailable where inspection() says that they have to be read.
  Decision<AllowedTarget> decide(Request const& request) const;

  /// How far a connection to this host and port has to be opened. full: terminate TLS, and decide each request in it as
  /// Scheme::https. sni: decide Scheme::tls when the ClientHello was read. raw: decide Scheme::raw, and read nothing.
  /// The most specific rule that could allow it decides; of equals, the strictest; full if no rule could allow it, and
  /// wherever a deny or ask rule depends on what only a request shows. No permission: decide() gives that.
  Inspect inspection(CanonicalHost const& host, std::uint16_t port) const;

  /// Whether some rule depends on header fields, or on the process: only then a request has to bring them.
  bool reads_headers() const { return reads_headers_; }
  bool reads_process() const { return reads_process_; }

  /// After DNS: those of `addresses` that the target's rule admits, in order. Deny (address_class) when none is left.
  Decision<std::vector<AllowedEndpoint>> admit(AllowedTarget const& target, std::span<IpAddress const> addresses) const;

  /// The endpoint the operator pinned this target to, if any: it needs neither DNS nor admit(), and no upstream proxy.
  std::optional<AllowedEndpoint> pinned(AllowedTarget const& target) const;

  /// The target by its name, if the upstream proxy is the way to it and looks names up: it needs neither DNS nor admit().
  std::optional<AllowedEndpoint> unresolved(AllowedTarget const& target) const;

  /// The upstream proxy itself, at `addresses`: the operator named it, so the address guard has no say. REQUIRES: there is one.
  std::vector<AllowedEndpoint> proxy_endpoints(std::span<IpAddress const> addresses) const;

  /// Whether the DNS stub answers this name: some rule could allow it on some port.
  Verdict resolvable(CanonicalHost const& name) const;

  /// Whether a rule that allows says this very name: then its labels are the policy's, not the client's.
  bool names(CanonicalHost const& host) const;

  Policy const& policy() const { return *policy_; }

 private:
  std::shared_ptr<Policy const> policy_;
  std::shared_ptr<UpstreamProxy const> way_to(CanonicalHost const& host) const;

  std::vector<Pin> pins_;
  std::shared_ptr<UpstreamRoute const> route_;
  std::unique_ptr<RuleIndex const> index_;
  bool reads_headers_ = false;
  bool reads_process_ = false;
};

}  // namespace sallyport::policies
