#pragma once
// A policy's names for people: which it spells out, and the line that says which of them do not resolve. Values; any thread.

#include "policies/pin.hpp"
#include "policies/policy.hpp"

#include <string>
#include <vector>

namespace sallyport::cli {

/// The hosts that rules allow and spell out, each once; without patterns, addresses, and what is pinned.
std::vector<std::string> spelt_out_names(policies::Policy const& policy, std::vector<policies::Pin> const& pins);

/// How many of `asked` names are missing, and the first few. REQUIRES: `missing` is not empty.
std::string unresolved_line(std::vector<std::string> const& missing, std::size_t asked);

}  // namespace sallyport::cli
