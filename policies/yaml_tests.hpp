#pragma once
// The `tests` of a policy file. Any thread. Does not run them, and does not look into URLs: `sallyport policy` does.

#include "policies/yaml_document.hpp"

#include <vector>

namespace sallyport::policies {

std::vector<PolicyTest> read_tests(YamlNode const& node, Problems& problems);

}  // namespace sallyport::policies
