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

/// A letter or '_', then letters, digits and '_'.
bool is_variable_name(std::string_view name);

/// Absolute form of a path as written, or why it cannot stand in a policy.
Result<std::string> absolute_path(std::string const& written, std::string const& home);

}  // namespace sallyport::policies
