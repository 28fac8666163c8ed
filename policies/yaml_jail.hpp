#pragma once
// The `jail` section of a policy file. Any thread.

#include "policies/yaml_document.hpp"

namespace sallyport::policies {

struct JailSection {
  Filesystem filesystem;
  Environment environment;
};

/// Paths come out absolute; `home` is what a leading "~/" stands for, empty if that is not known.
JailSection read_jail(YamlNode const& node, std::string const& home, Problems& problems);

}  // namespace sallyport::policies
