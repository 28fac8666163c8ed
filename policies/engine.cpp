#include "policies/engine.hpp"

#include "policies/hint.hpp"
#include "policies/rule_checks.hpp"
#include "policies/rule_fit.hpp"
#include "policies/rule_index.hpp"

#include <algorithm>
#include <utility>

namespace sallyport::policies {

namespace {

constexpr std::uint16_t kTlsPort = 443;

/// An allow rule allows when it fits; a tunnel, when what follows might fit; closed bytes, only if it lets them be closed.
bool permits(Rule const& rule, Fit fit, Scheme scheme) {
  if (scheme == Scheme::tls) return fit == Fit::whole && rule.inspect != Inspect::full;
  if (scheme == Scheme::raw) return fit == Fit::whole && rule.inspect == Inspect::raw;
  return fit == Fit::whole || (fit == Fit::unseen && scheme == Scheme::tunnel);
}

bool has_port(Rule const& rule, std::uint16_t port) {
  return rule.ports.empty() || std::find(rule.ports.begin(), rule.ports.end(), port) != rule.ports.end();
}

/// The most specific rule that could allow decides, and of equals the one that sees most; a rule that takes away by what only a
/// request shows makes it full.
Inspect inspection_of(std::vector<RuleMatch> const& matches, std::uint16_t port) {
  RuleMatch const* best = nullptr;
  for (auto const& match : matches) {
    Rule const& rule = *match.rule->rule;
    if (!has_port(rule, port)) continue;
    if (rule.action != Action::allow && needs_request(rule)) return Inspect::full;
    if (rule.action == Action::deny) continue;
    bool const stricter = best != nullptr && match.specificity == best->specificity && rule.inspect < best->rule->rule->inspect;
    if (best == nullptr || stricter) best = &match;
  }
  return best == nullptr ? Inspect::full : best->rule->rule->inspect;
}
static_assert(Inspect::full < Inspect::sni && Inspect::sni < Inspect::raw);

/// Whether these bytes stay closed although the rules want them read.
bool closed_against_rules(std::vector<RuleMatch> const& matches, Request const& request) {
  if (request.scheme != Scheme::tls && request.scheme != Scheme::raw) return false;
  auto const inspect = inspection_of(matches, request.port);
  return inspect == Inspect::full || (inspect == Inspect::sni && request.scheme == Scheme::raw);
}

/// HTTP in the clear on the port of HTTPS: no server there means it, so somebody wants the bytes unread or the server confused.
bool is_clear_on_tls_port(Request const& request) { return request.scheme == Scheme::http && request.port == kTlsPort; }

Verdict verdict_of(Action action, std::string_view reason, Rule const& rule) {
  return Verdict{action, rule.name, std::string(reason), "", rule.place.file, rule.place.line};
}

Verdict refuse(Action action, std::string_view reason, Request const& request, Rule const* rule) {
  auto verdict =
      rule != nullptr ? verdict_of(action, reason, *rule) : Verdict{action, "default", std::string(reason), "", "", 0};
  verdict.hint = hint_for(reason, request, rule);
  return verdict;
}

/// What the rules that name the host say about one request.
struct Findings {
  Rule const* deny = nullptr;
  Rule const* ask = nullptr;
  std::vector<std::shared_ptr<Rule const>> allow;  // most specific first
  Rule const* near_miss = nullptr;
  Fit near_miss_fit = Fit::wrong_port;
};

void note_near_miss(Findings& findings, Rule const& rule, Fit fit) {
  if (findings.near_miss != nullptr && fit <= findings.near_miss_fit) return;
  findings.near_miss = &rule;
  findings.near_miss_fit = fit;
}

Findings weigh(std::vector<RuleMatch> const& matches, Request const& request) {
  Findings findings;
  for (auto const& match : matches) {
    Rule const& rule = *match.rule->rule;
    auto const how = fit(*match.rule, request);
    bool const acts = how == Fit::whole;  // what cannot be seen is looked at: see closed_against_rules()
    if (rule.action == Action::deny) {
      if (acts && findings.deny == nullptr) findings.deny = &rule;
    } else if (rule.action == Action::ask && acts) {
      if (findings.ask == nullptr) findings.ask = &rule;
    } else if (rule.action == Action::allow && permits(rule, how, request.scheme)) {
      findings.allow.push_back(match.rule->rule);
    } else {
      note_near_miss(findings, rule, how);
    }
  }
  return findings;
}

/// A rule that names an address admits that address if it is public or `resolve` lists it, and no other.
bool admits_literal(Rule const& rule, IpAddress const& literal, IpAddress const& address) {
  if (address != literal) return false;
  return classify(address) == AddressClass::public_ || admits(rule.resolve, address);
}

}  // namespace

Engine::Engine(std::shared_ptr<Policy const> policy, std::vector<Pin> pins, std::shared_ptr<UpstreamRoute const> route)
    : pins_(std::move(pins)), route_(std::move(route)) {
  replace(std::move(policy));
}

void Engine::replace(std::shared_ptr<Policy const> policy) {
  auto index = std::make_unique<RuleIndex const>(policy->rules);
  policy_ = std::move(policy);
  index_ = std::move(index);
  reads_headers_ = reads_process_ = false;
  for (auto const& rule : policy_->rules) {
    reads_headers_ = reads_headers_ || !rule->headers.empty();
    reads_process_ = reads_process_ || !rule->processes.empty();
  }
}

Engine::~Engine() = default;

Decision<AllowedTarget> Engine::decide(Request const& request) const {
  if (policy_->network == Network::none) return refuse(Action::deny, reason::kNetworkNone, request, nullptr);
  auto const matches = index_->match(request.host);
  auto findings = weigh(matches, request);
  if (findings.deny != nullptr) return refuse(Action::deny, reason::kRuleDenies, request, findings.deny);
  if (findings.ask != nullptr) return refuse(Action::ask, reason::kNeedsApproval, request, findings.ask);
  if (!findings.allow.empty() && closed_against_rules(matches, request)) {
    return refuse(Action::deny, reason::kInspection, request, findings.allow.front().get());
  }
  if (!findings.allow.empty() && is_clear_on_tls_port(request)) {
    return refuse(Action::deny, reason::kNotTls, request, findings.allow.front().get());
  }
  if (!findings.allow.empty()) {
    auto verdict = verdict_of(Action::allow, reason::kAllowed, *findings.allow.front());
    return AllowedTarget(request.host, request.port, std::move(verdict), std::move(findings.allow));
  }
  if (findings.near_miss != nullptr) {
    return refuse(Action::deny, reason_of(findings.near_miss_fit), request, findings.near_miss);
  }
  auto const reason = request.host.is_address() ? reason::kIpLiteral : reason::kNoRule;
  return refuse(Action::deny, reason, request, nullptr);
}

Inspect Engine::inspection(CanonicalHost const& host, std::uint16_t port) const {
  return inspection_of(index_->match(host), port);
}

Decision<std::vector<AllowedEndpoint>> Engine::admit(AllowedTarget const& target,
                                                     std::span<IpAddress const> addresses) const {
  std::vector<AllowedEndpoint> admitted;
  auto const& literal = target.host().address();
  auto const via = way_to(target.host());
  for (auto const& address : addresses) {
    bool const any_rule = std::any_of(target.rules_.begin(), target.rules_.end(), [&](auto const& rule) {
      return literal ? admits_literal(*rule, *literal, address) : admits(rule->resolve, address);
    });
    if (any_rule) admitted.push_back(AllowedEndpoint(address, target.host(), target.port(), via));
  }
  if (!admitted.empty()) return admitted;
  auto verdict = verdict_of(Action::deny, reason::kAddressClass, target.rule());
  verdict.hint = addresses.empty() ? "Do not retry: " + target.host().str() + " has no address."
                                   : address_hint(target.host(), addresses.front(), target.rule());
  return verdict;
}

std::optional<AllowedEndpoint> Engine::pinned(AllowedTarget const& target) const {
  for (auto const& pin : pins_) {
    bool const same_port = pin.port == 0 || pin.port == target.port();
    if (pin.host == target.host() && same_port) {
      return AllowedEndpoint(pin.address, target.host(), pin.to_port != 0 ? pin.to_port : target.port());
    }
  }
  return std::nullopt;
}

std::optional<AllowedEndpoint> Engine::unresolved(AllowedTarget const& target) const {
  auto const& host = target.host();
  auto via = way_to(host);
  if (!via || !via->looks_up_names || host.is_address() || pinned(target)) return std::nullopt;
  return AllowedEndpoint(std::nullopt, host, target.port(), std::move(via));
}

std::vector<AllowedEndpoint> Engine::proxy_endpoints(std::span<IpAddress const> addresses) const {
  std::vector<AllowedEndpoint> endpoints;
  for (auto const& address : addresses) endpoints.push_back(AllowedEndpoint(address, route_->proxy.host, route_->proxy.port));
  return endpoints;
}

/// Null: without an upstream proxy.
std::shared_ptr<UpstreamProxy const> Engine::way_to(CanonicalHost const& host) const {
  if (!route_ || route_->direct.contain(host)) return nullptr;
  return {route_, &route_->proxy};
}

bool Engine::names(CanonicalHost const& host) const { return index_->names(host); }

Verdict Engine::resolvable(CanonicalHost const& name) const {
  Request const question{name, 443, Scheme::tunnel, "", std::nullopt};
  if (policy_->network == Network::none) return refuse(Action::deny, reason::kNetworkNone, question, nullptr);
  auto const matches = index_->match(name);
  Rule const* deny = nullptr;
  Rule const* ask = nullptr;
  for (auto const& match : matches) {
    Rule const& rule = *match.rule->rule;
    if (rule.action == Action::deny) continue;
    for (auto port : rule.ports) {
      auto denies = std::find_if(matches.begin(), matches.end(),
                                 [&](auto const& other) { return other.rule->rule->action == Action::deny && covers_port(*other.rule->rule, port); });
      if (denies != matches.end()) {
        deny = denies->rule->rule.get();
      } else if (rule.action == Action::ask) {
        ask = &rule;
      } else {
        return verdict_of(Action::allow, reason::kAllowed, rule);
      }
    }
  }
  if (ask != nullptr) return refuse(Action::ask, reason::kNeedsApproval, question, ask);
  if (deny != nullptr) return refuse(Action::deny, reason::kRuleDenies, question, deny);
  return refuse(Action::deny, name.is_address() ? reason::kIpLiteral : reason::kNoRule, question, nullptr);
}

}  // namespace sallyport::policies
