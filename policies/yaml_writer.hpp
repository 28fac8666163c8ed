#pragma once
// Policy -> YAML. Pure; any thread.

#include "policies/policy.hpp"

#include <string>

namespace sallyport::policies {

/// A policy file that loads to the same rules and jail section, with a comment on each rule that says where it stands.
std::string to_yaml(Policy const& policy);

std::string_view to_string(Network network);
std::string_view to_string(Inspect inspect);
std::string_view to_string(DlpAction action);
std::string_view to_string(KnownSource source);
std::string_view to_string(CanaryPlace place);
std::string_view to_string(Workspace workspace);

}  // namespace sallyport::policies
