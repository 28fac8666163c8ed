#include "cli/spelt_out_names.hpp"

#include "policies/canonical_host.hpp"

#include <algorithm>

namespace sallyport::cli {
namespace {

constexpr std::size_t kNamed = 5;

/// A pattern is none, nor is an address.
bool is_name(std::string const& pattern) {
  auto const host = policies::CanonicalHost::from(pattern);
  return host && !host->is_address() && host->str() == pattern;
}

}  // namespace

std::vector<std::string> spelt_out_names(policies::Policy const& policy, std::vector<policies::Pin> const& pins) {
  std::vector<std::string> names;
  for (auto const& rule : policy.rules) {
    if (rule->action != policies::Action::allow) continue;
    for (auto const& host : rule->hosts) {
      bool const pinned = std::ranges::any_of(pins, [&](auto const& pin) { return pin.host.str() == host; });
      bool const known = std::ranges::find(names, host) != names.end();
      if (is_name(host) && !pinned && !known) names.push_back(host);
    }
  }
  return names;
}

std::string unresolved_line(std::vector<std::string> const& missing, std::size_t asked) {
  std::string line = std::to_string(missing.size()) + " of " + std::to_string(asked) + " names that the policy allows do not resolve now: ";
  for (std::size_t i = 0; i < std::min(missing.size(), kNamed); ++i) line += (i == 0 ? "" : ", ") + missing[i];
  if (missing.size() > kNamed) line += ", …";
  return line + " (each request asks again)";
}

}  // namespace sallyport::cli
