#pragma once
// Policies and what is wrong with them, as JSON for machines. Pure; any thread.

#include "policies/policy.hpp"
#include "policies/problem.hpp"

#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

namespace sallyport::cli {

/// The merged policy, each rule with the file and line where it stands.
boost::json::object policy_json(policies::Policy const& policy);

/// [{"file","line","column","message"}]
boost::json::value problems_json(policies::Problems const& problems);

}  // namespace sallyport::cli
