#pragma once
// The `credentials` section of a policy file. Any thread. Reads no value: only where it will come from.

#include "policies/layer.hpp"
#include "policies/yaml_document.hpp"

#include <string>
#include <vector>

namespace sallyport::policies {

/// `home` is what a leading "~/" of a file stands for.
std::vector<Credential> read_credentials(YamlNode const& node, std::string const& home, Problems& problems);

}  // namespace sallyport::policies
