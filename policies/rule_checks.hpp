#pragma once
// Whether a rule, well formed by itself, can be enforced as written. Pure; any thread.

#include "policies/host_pattern.hpp"
#include "policies/policy.hpp"
#include "policies/problem.hpp"

#include <vector>

namespace sallyport::policies {

struct PlacedHost {
  HostPattern pattern;
  Place place;
};

/// Whether wildcards below a public suffix were asked for (`public_suffix: true`).
enum class PublicSuffix { refused, accepted };

/// Wildcards that span strangers' names; addresses that the rule's own `resolve` would refuse. A deny rule may name
/// anything.
void check_hosts(Rule const& rule, std::vector<PlacedHost> const& hosts, PublicSuffix public_suffix, Problems& problems);

/// What only an opened connection shows, where `inspect` leaves TLS closed.
void check_inspection(Rule const& rule, Place const& inspect_place, Problems& problems);

/// Keys that say nothing, or something else, beside one another: `git` and methods, `limits` of a deny rule.
void check_keys_together(Rule const& rule, Place const& place, Problems& problems);

/// Whether TLS to some host is opened under this policy, so that clients have to trust the session's authority.
bool opens_tls(Policy const& policy);

/// Whether `resolve` admits `address`. An address that a rule names itself must be public, or admitted by this.
bool admits(ResolveRule const& resolve, IpAddress const& address);

}  // namespace sallyport::policies
