#pragma once
// A policy that the supervisor hands over while the gateway runs. Reads a descriptor it was given; opens nothing. Any
// thread.

#include "base/result.hpp"
#include "base/unique_fd.hpp"
#include "policies/policy.hpp"

#include <memory>

namespace sallyport::proxy {

/// `bundle` is a memory file with what policies/bundle packed. The file is the supervisor's: its content is trusted, its
/// size is not.
Result<std::shared_ptr<policies::Policy const>> read_policy_file(UniqueFd const& bundle);

}  // namespace sallyport::proxy
