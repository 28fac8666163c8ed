#pragma once
// What a rule asks of requests beyond methods and paths: `query`, `headers` and `git`. Any thread.

#include "policies/yaml_document.hpp"

#include <optional>
#include <vector>

namespace sallyport::policies {

/// {name: glob, name: [glob, glob], name: null}; null says that it must not be there.
std::vector<Condition> read_query(YamlNode const& node, Problems& problems);
/// Likewise; names come out in lower case.
std::vector<Condition> read_headers(YamlNode const& node, Problems& problems);
/// {repos: [group/project], access: read|write}
std::optional<GitRule> read_git(YamlNode const& node, Problems& problems);

}  // namespace sallyport::policies
