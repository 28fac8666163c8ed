#pragma once
// Canaries: decoys of a session, made to look worth stealing. Nobody has a use for them, so one that leaves, in whatever coding, was taken by
// something that collects secrets. Supervisor only.

#include "dlp/known_values.hpp"
#include "policies/policy.hpp"

#include <map>
#include <string>
#include <vector>

namespace sallyport::cli {

struct Canaries {
  std::map<std::string, std::string> environment;  // variables of the jail
  std::map<std::string, std::string> files;        // of its home, by path below it
  std::vector<dlp::KnownValue> values;
};

/// Random values where the policy wants them. Programs do not use them by themselves: no variable and no file is one that a common program
/// takes its credentials from. What the policy passes or sets under the same name stays.
Result<Canaries> make_canaries(policies::Policy const& policy);

}  // namespace sallyport::cli
