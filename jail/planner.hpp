#pragma once
// Policy + command + what the host has -> Plan. Looks at the host's file system (which directories exist, where links lead);
// changes nothing. Any thread.

#include "base/result.hpp"
#include "jail/environment.hpp"
#include "jail/plan.hpp"
#include "policies/policy.hpp"

#include <chrono>
#include <optional>
#include <string>
#include <vector>

namespace sallyport::jail {

struct PlanRequest {
  std::vector<std::string> command;        // not empty
  std::string cwd;                         // absolute, canonical: where the command runs
  std::string workspace;                   // absolute, canonical: visible at its own path
  std::string home;                        // absolute; hidden, an empty writable directory stands there
  Identity identity;
  Variables environment;                   // the caller's
  Variables planted;                       // placeholders of credentials, and canaries: nothing takes their place
  Variables home_files;                    // contents by path below the home, writable there
  std::string authority;                   // the session's certificate, PEM; empty if no connection is opened
  std::optional<std::chrono::milliseconds> timeout;
};

/// Errors name what cannot be a workspace and what to do instead: the home directory itself, a parent of it, or a system directory.
Result<Plan> make_plan(PlanRequest const& request, policies::Policy const& policy);

}  // namespace sallyport::jail
