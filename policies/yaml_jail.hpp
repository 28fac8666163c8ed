#pragma once
// The `jail` section of a policy file. Any thread.

#include "policies/yaml_document.hpp"

namespace sallyport::policies {

struct JailSection {
  Filesystem filesystem;
  Environment environment;
};

JailSection read_jail(YamlNode const& node, Problems& problems);

}  // namespace sallyport::policies
