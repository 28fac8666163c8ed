#include "policies/rule_checks.hpp"

#include "policies/public_suffix.hpp"

#include <algorithm>

namespace sallyport::policies {

namespace {

constexpr std::uint16_t kHttpPort = 80;

bool has_tls_ports(Rule const& rule) {
  return std::any_of(rule.ports.begin(), rule.ports.end(), [](std::uint16_t port) { return port != kHttpPort; });
}

void check_literal(Rule const& rule, PlacedHost const& host, Problems& problems) {
  auto const address = IpAddress::parse(host.pattern.domain);
  if (!address || classify(*address) == AddressClass::public_ || admits(rule.resolve, *address)) return;
  auto const kind = std::string(to_string(classify(*address)));
  problems.push_back({host.place, "the " + kind + " address " + address->to_string() +
                                      " would always be refused; write resolve: [" + address->to_string() + "] too"});
}

}  // namespace

void check_hosts(Rule const& rule, std::vector<PlacedHost> const& hosts, PublicSuffix public_suffix, Problems& problems) {
  if (rule.action == Action::deny) return;
  for (auto const& host : hosts) {
    check_literal(rule, host, problems);
    if (public_suffix == PublicSuffix::accepted || !spans_public_suffix(host.pattern)) continue;
    problems.push_back({host.place, "host '" + host.pattern.to_string() + "' covers the names of strangers ('" +
                                        host.pattern.domain +
                                        "' is a public suffix); name the hosts, or add public_suffix: true to the rule"});
  }
}

void check_inspection(Rule const& rule, Place const& inspect_place, Place const& limits_place, Problems& problems) {
  if (rule.action == Action::deny || !has_tls_ports(rule)) return;
  if (rule.inspect == Inspect::full) {
    problems.push_back({inspect_place,
                        "this rule needs TLS interception (inspect: full, which is the default), and that is not "
                        "in this version; write inspect: sni"});
  } else if (!rule.methods.empty() || !rule.paths.empty()) {
    problems.push_back({limits_place,
                        "methods and paths cannot be enforced under inspect: sni, because TLS stays closed; remove "
                        "them, or give the rule ports: [80] only"});
  }
}

bool admits(ResolveRule const& resolve, IpAddress const& address) {
  auto const address_class = classify(address);
  switch (resolve.kind) {
    case ResolveClass::public_:
      return address_class == AddressClass::public_;
    case ResolveClass::private_:
      return address_class == AddressClass::private_ || address_class == AddressClass::unique_local ||
             address_class == AddressClass::cgnat;
    case ResolveClass::cidrs:
      return std::any_of(resolve.cidrs.begin(), resolve.cidrs.end(), [&](Cidr const& block) {
        bool const narrow_enough = address_class != AddressClass::metadata || block.is_single_address();
        return narrow_enough && block.contains(address);
      });
  }
  return false;
}

}  // namespace sallyport::policies
