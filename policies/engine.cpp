#include "policies/engine.hpp"

#include "policies/hint.hpp"
#include "policies/rule_checks.hpp"
#include "policies/rule_index.hpp"

#include <algorithm>
#include <utility>

namespace sallyport::policies {

namespace {

/// How far a rule that names the host fits a request. Later is closer.
enum class Fit {
  wrong_port,
  wrong_method,
  wrong_path,
  unseen,  // it depends on a method or path that cannot be seen (tls) or is not known yet (tunnel)
  whole,
};

template <class T>
bool holds(std::vector<T> const& any_if_empty, T const& value) {
  return any_if_empty.empty() || std::find(any_if_empty.begin(), any_if_empty.end(), value) != any_if_empty.end();
}

bool path_fits(CompiledRule const& compiled, Request const& request) {
  if (compiled.paths.empty()) return true;
  if (!request.path) return false;
  auto const& path = request.path->path();
  return std::any_of(compiled.paths.begin(), compiled.paths.end(),
                     [&](PathGlob const& glob) { return glob.matches(path); });
}

Fit fit(CompiledRule const& compiled, Request const& request) {
  Rule const& rule = *compiled.rule;
  if (!holds(rule.ports, request.port)) return Fit::wrong_port;
  if (request.scheme != Scheme::http) return rule.methods.empty() && rule.paths.empty() ? Fit::whole : Fit::unseen;
  if (!holds(rule.methods, request.method)) return Fit::wrong_method;
  if (!path_fits(compiled, request)) return Fit::wrong_path;
  return Fit::whole;
}

/// A deny or ask rule acts when it fits, and when it might and nothing will show whether it does.
bool restricts(Fit fit, Scheme scheme) { return fit == Fit::whole || (fit == Fit::unseen && scheme == Scheme::tls); }

/// An allow rule allows when it fits; a tunnel, when what follows might fit; TLS, only if it need not be intercepted.
bool permits(Rule const& rule, Fit fit, Scheme scheme) {
  if (scheme == Scheme::tls) return fit == Fit::whole && rule.inspect == Inspect::sni;
  return fit == Fit::whole || (fit == Fit::unseen && scheme == Scheme::tunnel);
}

std::string_view near_miss_reason(Fit fit) {
  switch (fit) {
    case Fit::wrong_port:
      return reason::kPort;
    case Fit::wrong_method:
      return reason::kMethod;
    case Fit::wrong_path:
      return reason::kPath;
    case Fit::unseen:
    case Fit::whole:
      return reason::kInspection;
  }
  return reason::kInternal;
}

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
    bool const acts = restricts(how, request.scheme);
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

/// Whether no request to `port` can get past this deny rule.
bool denies_port(Rule const& rule, std::uint16_t port) {
  return rule.action == Action::deny && rule.methods.empty() && rule.paths.empty() && holds(rule.ports, port);
}

}  // namespace

Engine::Engine(std::shared_ptr<Policy const> policy, std::vector<Pin> pins)
    : policy_(std::move(policy)), pins_(std::move(pins)), index_(std::make_unique<RuleIndex const>(policy_->rules)) {}

Engine::~Engine() = default;

Decision<AllowedTarget> Engine::decide(Request const& request) const {
  if (policy_->network == Network::none) return refuse(Action::deny, reason::kNetworkNone, request, nullptr);
  auto findings = weigh(index_->match(request.host), request);
  if (findings.deny != nullptr) return refuse(Action::deny, reason::kRuleDenies, request, findings.deny);
  if (findings.ask != nullptr) return refuse(Action::ask, reason::kNeedsApproval, request, findings.ask);
  if (!findings.allow.empty()) {
    auto verdict = verdict_of(Action::allow, reason::kAllowed, *findings.allow.front());
    return AllowedTarget(request.host, request.port, std::move(verdict), std::move(findings.allow));
  }
  if (findings.near_miss != nullptr) {
    return refuse(Action::deny, near_miss_reason(findings.near_miss_fit), request, findings.near_miss);
  }
  auto const reason = request.host.is_address() ? reason::kIpLiteral : reason::kNoRule;
  return refuse(Action::deny, reason, request, nullptr);
}

Decision<std::vector<AllowedEndpoint>> Engine::admit(AllowedTarget const& target,
                                                     std::span<IpAddress const> addresses) const {
  std::vector<AllowedEndpoint> admitted;
  auto const& literal = target.host().address();
  for (auto const& address : addresses) {
    bool const any_rule = std::any_of(target.rules_.begin(), target.rules_.end(), [&](auto const& rule) {
      return literal ? admits_literal(*rule, *literal, address) : admits(rule->resolve, address);
    });
    if (any_rule) admitted.push_back(AllowedEndpoint(address, target.port()));
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
      return AllowedEndpoint(pin.address, pin.to_port != 0 ? pin.to_port : target.port());
    }
  }
  return std::nullopt;
}

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
                                 [&](auto const& other) { return denies_port(*other.rule->rule, port); });
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
