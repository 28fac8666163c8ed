#pragma once
// Which policy a command works with when it is not told, and where presets and the home directory are. Reads the
// environment and asks whether files exist; any thread that does not change the environment.

#include "cli/command.hpp"
#include "policies/yaml_loader.hpp"

#include <string>
#include <vector>

namespace sallyport::cli {

/// Without `policies`: the file in $SALLYPORT_POLICY, else ~/.config/sallyport/policy.yaml if there is one, else the preset
/// none.
policies::PolicySources policy_sources(Console const& console, std::vector<std::string> policies,
                                       std::vector<std::string> allow);

}  // namespace sallyport::cli
