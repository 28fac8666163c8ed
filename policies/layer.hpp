#pragma once
// One source of a policy, before merging: a preset, a file, or an --allow flag. Values; any thread.

#include "policies/policy.hpp"
#include "policies/problem.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sallyport::policies {

/// `dlp` of one file: what it says. Absent: what the layers below say.
struct DlpSection {
  std::optional<DlpAction> action;
  std::optional<std::vector<KnownSource>> known_values;
  std::optional<std::vector<CanaryPlace>> canaries;
  std::optional<bool> responses;
  std::vector<DetectorName> disabled;
  std::vector<DetectorImport> imports;
  std::vector<DlpException> allow;
};

struct Layer {
  struct Reference {
    std::string text;  // as written under `extends`
    Place place;
  };
  std::string label;  // "preset npm", "file policy.yaml", "--allow example.com"
  std::string path;   // of the file; empty for --allow
  std::string bytes;  // exactly what was read
  std::string name;
  std::vector<Reference> extends;
  std::optional<Network> network;
  Place network_place;
  std::vector<Rule> rules;  // names may be empty
  Filesystem filesystem;
  Environment environment;
  DlpSection dlp;
  std::vector<Credential> credentials;
  std::vector<PolicyTest> tests;
};

/// The layer of `--allow HOST[:PORT]`: one rule, port 443 by default, opaque after the SNI check.
std::optional<Layer> allow_layer(std::string_view text, Problems& problems);

}  // namespace sallyport::policies
