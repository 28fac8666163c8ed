#include "policies/rule_index.hpp"

#include "base/check.hpp"

#include <algorithm>
#include <utility>

namespace sallyport::policies {

namespace {

std::uint32_t specificity(HostPattern const& pattern) {
  constexpr std::uint32_t kExact = 3 << 16;
  constexpr std::uint32_t kPartial = 2 << 16;
  constexpr std::uint32_t kDomain = 1 << 16;
  auto const length = static_cast<std::uint32_t>(pattern.domain.size() + pattern.before.size() + pattern.after.size());
  switch (pattern.kind) {
    case HostPattern::Kind::exact:
      return kExact;
    case HostPattern::Kind::partial:
      return kPartial + length;
    case HostPattern::Kind::below:
    case HostPattern::Kind::tree:
      return kDomain + length;
    case HostPattern::Kind::any:
      return 0;
  }
  return 0;
}

PathGlob valid(Result<PathGlob> glob) {
  check(glob.has_value(), "globs of a loaded rule are valid");
  return std::move(*glob);
}

CompiledRule compile(std::shared_ptr<Rule const> rule) {
  CompiledRule compiled{std::move(rule), {}, {}, {}};
  for (auto const& path : compiled.rule->paths) compiled.paths.push_back(valid(PathGlob::compile(path)));
  for (auto const& file : compiled.rule->processes) compiled.processes.push_back(valid(PathGlob::compile_file(file)));
  if (!compiled.rule->git) return compiled;
  for (auto const& repo : compiled.rule->git->repos) compiled.repos.push_back(valid(PathGlob::compile("/" + repo)));
  return compiled;
}

bool more_specific(RuleMatch const& a, RuleMatch const& b) {
  if (a.specificity != b.specificity) return a.specificity > b.specificity;
  return a.rule->rule->name < b.rule->rule->name;
}

/// Most specific first, each rule once.
void order(std::vector<RuleMatch>& found) {
  if (found.size() < 2) return;
  std::stable_sort(found.begin(), found.end(), more_specific);
  std::vector<RuleMatch> unique;
  std::vector<CompiledRule const*> seen;
  for (auto const& match : found) {
    auto at = std::lower_bound(seen.begin(), seen.end(), match.rule);
    if (at != seen.end() && *at == match.rule) continue;
    seen.insert(at, match.rule);
    unique.push_back(match);
  }
  found = std::move(unique);
}

}  // namespace

RuleIndex::RuleIndex(std::vector<std::shared_ptr<Rule const>> const& rules) {
  rules_.reserve(rules.size());
  for (std::size_t i = 0; i < rules.size(); ++i) {
    rules_.push_back(compile(rules[i]));
    for (auto const& host : rules[i]->hosts) {
      auto pattern = HostPattern::parse(host);
      check(pattern.has_value(), "hosts of a loaded rule are valid");
      auto& entries = by_domain_[pattern->domain];
      entries.push_back(Entry{std::move(*pattern), i});
    }
  }
}

void RuleIndex::collect(std::string_view domain, CanonicalHost const& host, std::vector<RuleMatch>& found) const {
  auto entries = by_domain_.find(domain);
  if (entries == by_domain_.end()) return;
  for (auto const& entry : entries->second) {
    if (entry.pattern.matches(host)) found.push_back(RuleMatch{&rules_[entry.rule], specificity(entry.pattern)});
  }
}

bool RuleIndex::names(CanonicalHost const& host) const {
  auto const found = by_domain_.find(host.str());
  if (found == by_domain_.end()) return false;
  return std::ranges::any_of(found->second, [&](Entry const& entry) {
    return entry.pattern.kind == HostPattern::Kind::exact && rules_[entry.rule].rule->action == Action::allow;
  });
}

std::vector<RuleMatch> RuleIndex::match(CanonicalHost const& host) const {
  std::vector<RuleMatch> found;
  std::string_view domain = host.str();
  collect(domain, host, found);
  if (host.is_address()) return found;
  for (auto dot = domain.find('.'); dot != std::string_view::npos; dot = domain.find('.')) {
    domain.remove_prefix(dot + 1);
    collect(domain, host, found);
  }
  collect("", host, found);
  order(found);
  return found;
}

}  // namespace sallyport::policies
