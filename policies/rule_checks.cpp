#include "policies/rule_checks.hpp"

#include "policies/public_suffix.hpp"
#include "policies/rule_fit.hpp"

#include <algorithm>

namespace sallyport::policies {

namespace {

constexpr std::uint16_t kHttpPort = 80;

bool has_tls_ports(Rule const& rule) {
  return rule.ports.empty() || std::any_of(rule.ports.begin(), rule.ports.end(), [](std::uint16_t port) { return port != kHttpPort; });
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

void check_inspection(Rule const& rule, Place const& inspect_place, Problems& problems) {
  if (rule.inspect == Inspect::full) return;
  bool const counts_bodies = rule.limits.request_body || rule.limits.upload;
  bool const searches = rule.dlp && *rule.dlp != DlpAction::off;
  auto const what = needs_request(rule) ? "methods, paths, query, headers, git and websocket" : counts_bodies ? "limits of request bodies" : "dlp";
  bool const plain_only = !has_tls_ports(rule) && rule.inspect == Inspect::sni;
  if (plain_only || !(needs_request(rule) || counts_bodies || searches)) return;
  auto const word = rule.inspect == Inspect::sni ? "sni" : "raw";
  problems.push_back({inspect_place, std::string(what) + " cannot be enforced under inspect: " + word +
                                         ", which leaves the connection closed; remove them, or write inspect: full"});
}

void check_keys_together(Rule const& rule, Place const& place, Problems& problems) {
  bool const besides_git = !rule.methods.empty() || !rule.paths.empty() || !rule.query.empty();
  if (rule.git && besides_git) {
    problems.push_back({place, "'git' says which methods, paths and queries are allowed; remove those, or make two rules"});
  }
  bool const says_websocket = rule.websocket != WebSocketUse::by_methods;
  if (rule.git && rule.websocket == WebSocketUse::allowed) problems.push_back({place, "git uses no WebSockets; remove 'websocket', or make two rules"});
  if (says_websocket && rule.action != Action::allow) {
    problems.push_back({place, "'websocket' is for rules that allow: others mean every request; remove it"});
  }
  if (rule.action != Action::deny) return;
  if (rule.dlp) problems.push_back({place, "a deny rule lets nothing through that 'dlp' could look at; remove it"});
  if (rule.git) problems.push_back({place, "'git' is for rules that allow; list under repos what may be fetched"});
  if (rule.limits != RuleLimits{}) problems.push_back({place, "a deny rule lets nothing through that 'limits' could count; remove it"});
}

bool opens_tls(Policy const& policy) {
  if (policy.network == Network::none) return false;
  return std::any_of(policy.rules.begin(), policy.rules.end(), [](auto const& rule) {
    bool const restricts_requests = rule->action != Action::allow && needs_request(*rule);
    bool const is_opened = rule->action != Action::deny && rule->inspect == Inspect::full;
    return has_tls_ports(*rule) && (restricts_requests || is_opened);
  });
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
