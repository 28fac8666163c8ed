#pragma once
// Finds the rules that name a host, in time that does not depend on how many rules there are. Immutable; any thread.
// Hardened against hostile hosts. Does not decide: policies/engine.hpp does.

#include "policies/canonical_host.hpp"
#include "policies/host_pattern.hpp"
#include "policies/path_glob.hpp"
#include "policies/policy.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace sallyport::policies {

struct CompiledRule {
  std::shared_ptr<Rule const> rule;
  std::vector<PathGlob> paths;
  std::vector<PathGlob> repos;      // of `git`
  std::vector<PathGlob> processes;
};

/// One rule that names the host, by one of its patterns.
struct RuleMatch {
  CompiledRule const* rule = nullptr;  // lives as long as the index
  std::uint32_t specificity = 0;       // exact beats partial beats longer domain beats shorter domain beats '*'
};

class RuleIndex {
 public:
  /// REQUIRES hosts and paths of the rules are canonical patterns, as the loader makes them.
  explicit RuleIndex(std::vector<std::shared_ptr<Rule const>> const& rules);
  RuleIndex(RuleIndex const&) = delete;
  RuleIndex& operator=(RuleIndex const&) = delete;

  /// Each rule once, the most specific first, equals by rule name.
  std::vector<RuleMatch> match(CanonicalHost const& host) const;
  /// Whether a rule that allows says this very name, and not only a pattern that takes it in.
  bool names(CanonicalHost const& host) const;

 private:
  struct Entry {
    HostPattern pattern;
    std::size_t rule;
  };
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>{}(text); }
  };
  void collect(std::string_view domain, CanonicalHost const& host, std::vector<RuleMatch>& found) const;

  std::vector<CompiledRule> rules_;
  std::unordered_map<std::string, std::vector<Entry>, Hash, std::equal_to<>> by_domain_;  // "" holds '*'
};

}  // namespace sallyport::policies
