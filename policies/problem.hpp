#pragma once
// What is wrong with a policy file, and where. Values; any thread. The loader collects problems instead of stopping at the
// first, so that a file is mended in one go; a policy with a problem is never used.

#include "base/result.hpp"
#include "policies/policy.hpp"

#include <string>
#include <vector>

namespace sallyport::policies {

struct Problem {
  Place place;
  std::string what;  // one line: what is wrong, and what to write
  bool operator==(Problem const&) const = default;
};
using Problems = std::vector<Problem>;

/// "file:line:column"; less if line or file are not known.
std::string to_string(Place const& place);
/// "file:line:column: what"
std::string to_string(Problem const& problem);
/// One line a problem; what is beyond the first fifty is only counted.
Error as_error(Problems const& problems);

}  // namespace sallyport::policies
