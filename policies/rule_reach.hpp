#pragma once
// Finds rules that no request can reach, because a deny rule takes all of it. Pure; any thread.

#include "policies/policy.hpp"
#include "policies/problem.hpp"

#include <memory>
#include <string>
#include <vector>

namespace sallyport::policies {

/// A rule that a deny rule of the same file covers whole is a problem: one of the two is a mistake. Where only some of its hosts
/// are covered, or the deny rule stands in another file (which is how a file narrows what it extends), it is a warning.
void check_reach(std::vector<std::shared_ptr<Rule const>> const& rules, std::vector<std::string>& warnings, Problems& problems);

}  // namespace sallyport::policies
