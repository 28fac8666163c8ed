#pragma once
// The `limits` of a rule. Any thread.

#include "policies/yaml_document.hpp"

namespace sallyport::policies {

RuleLimits read_limits(YamlNode const& node, Problems& problems);

}  // namespace sallyport::policies
