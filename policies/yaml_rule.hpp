#pragma once
// One entry of `egress` -> Rule. Any thread.

#include "policies/yaml_document.hpp"

#include <optional>

namespace sallyport::policies {

/// The name stays empty if none is given. nullopt if a problem makes the rule unusable.
std::optional<Rule> read_rule(YamlNode const& node, Problems& problems);

/// Whether `name` may name a rule or a policy: 1-64 letters, digits, '.', '_', '-', beginning with a letter or digit.
bool is_plain_name(std::string_view name);

}  // namespace sallyport::policies
