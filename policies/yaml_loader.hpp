#pragma once
// Policy files -> Policy. Reads files; nothing else in policies/ does. Assumes a file the user wrote: every error names
// file:line:column, the key, the value, what was expected and what to write. Any thread.

#include "base/result.hpp"
#include "policies/policy.hpp"
#include "policies/problem.hpp"

#include <memory>
#include <string>
#include <vector>

namespace sallyport::policies {

struct PolicySources {
  std::string preset_dir;             // holds NAME.yaml for each shipped preset
  std::string home;                   // what "~/" stands for in jail.filesystem; empty: such a path is an error
  std::vector<std::string> policies;  // from --policy: a preset name, or a path (contains '/' or ends in .yaml/.yml)
  std::vector<std::string> allow;     // from --allow: HOST[:PORT], opaque after the SNI check
};

/// Merges all sources: presets (extends), files in order, --allow. An error holds one line for each problem.
Result<std::shared_ptr<Policy const>> load_policy(PolicySources const& sources);

/// The same, with the problems one by one; null if there are any.
std::shared_ptr<Policy const> load_policy(PolicySources const& sources, Problems& problems);

/// A policy, and what another process needs to have the same one (policies/bundle).
struct LoadedPolicy {
  std::shared_ptr<Policy const> policy;
  std::string bundle;
  std::vector<std::string> files;  // that it was read from, imports of detectors included
};
Result<LoadedPolicy> load_policy_for_sharing(PolicySources const& sources);

struct PresetInfo {
  std::string name;
  std::string description;  // first comment line of the file
  std::string date;         // when it was last verified, YYYY-MM-DD
  std::string path;
};
Result<std::vector<PresetInfo>> list_presets(std::string const& preset_dir);

}  // namespace sallyport::policies
