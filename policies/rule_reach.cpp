#include "policies/rule_reach.hpp"

#include "policies/host_pattern.hpp"
#include "policies/rule_fit.hpp"
#include "policies/rule_index.hpp"

#include <algorithm>

namespace sallyport::policies {

namespace {

/// Names that stand for all that a pattern matches: a deny rule that covers them by a wildcard covers the pattern.
std::vector<std::string> samples_of(HostPattern const& pattern) {
  constexpr char kLabel[] = "sallyport-sample-x7";
  switch (pattern.kind) {
    case HostPattern::Kind::exact:
      return {pattern.domain};
    case HostPattern::Kind::below:
      return {std::string(kLabel) + "." + pattern.domain};
    case HostPattern::Kind::tree:
      return {pattern.domain, std::string(kLabel) + "." + pattern.domain};
    case HostPattern::Kind::partial:
      return {pattern.before + "x7" + pattern.after + "." + pattern.domain};
    case HostPattern::Kind::any:
      return {};
  }
  return {};
}

Rule const* cover_of(std::vector<RuleMatch> const& denials, std::uint16_t port) {
  auto const found = std::find_if(denials.begin(), denials.end(),
                                  [&](RuleMatch const& match) { return covers_port(*match.rule->rule, port); });
  return found == denials.end() ? nullptr : found->rule->rule.get();
}

/// A deny rule by which no port of `rule` is left of this host, or null.
Rule const* cover_of(RuleIndex const& denials, Rule const& rule, std::string const& host) {
  auto const pattern = HostPattern::parse(host);
  Rule const* cover = nullptr;
  for (auto const& sample : samples_of(*pattern)) {
    auto const name = CanonicalHost::from(sample);
    if (!name) return nullptr;
    auto const matches = denials.match(*name);
    for (auto port : rule.ports) {
      cover = cover_of(matches, port);
      if (cover == nullptr) return nullptr;
    }
  }
  return cover;
}

void check_rule(RuleIndex const& denials, Rule const& rule, std::vector<std::string>& warnings, Problems& problems) {
  std::vector<std::string> covered;
  Rule const* cover = nullptr;
  bool same_file = true;
  for (auto const& host : rule.hosts) {
    auto const* denial = cover_of(denials, rule, host);
    if (denial == nullptr) continue;
    covered.push_back("host '" + host + "' can never be reached: rule '" + denial->name + "' denies it");
    same_file = same_file && denial->place.file == rule.place.file;
    cover = denial;
  }
  if (covered.size() == rule.hosts.size() && same_file && cover != nullptr) {
    problems.push_back({rule.place, "rule '" + rule.name + "' can never be reached: rule '" + cover->name + "' at " +
                                        to_string(cover->place) + " denies all of it; remove one of them"});
    return;
  }
  auto const where = rule.place.file.empty() ? "" : to_string(rule.place) + ": ";
  for (auto const& line : covered) warnings.push_back(where + line);
}

}  // namespace

void check_reach(std::vector<std::shared_ptr<Rule const>> const& rules, std::vector<std::string>& warnings, Problems& problems) {
  std::vector<std::shared_ptr<Rule const>> denials;
  std::copy_if(rules.begin(), rules.end(), std::back_inserter(denials), [](auto const& rule) {
    return rule->action == Action::deny && rule->processes.empty() && !needs_request(*rule);
  });
  if (denials.empty()) return;
  RuleIndex const index(denials);
  for (auto const& rule : rules) {
    if (rule->action != Action::deny) check_rule(index, *rule, warnings, problems);
  }
}

}  // namespace sallyport::policies
