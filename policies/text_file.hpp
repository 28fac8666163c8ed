#pragma once
// Reads the files that people write: policies, what they import, tenants. Any thread.

#include "base/result.hpp"

#include <string>
#include <string_view>

namespace sallyport::policies {

/// The whole file; what is beyond limits::kMaxPolicyFileBytes is not read, and the parser says that it is too long. The error is what a
/// sentence about the path goes on with: "is a directory, not a file".
Result<std::string> read_text_file(std::string const& path);

/// Whether a reference to a policy means a file, not a preset: it has a '/' or ends in .yaml or .yml.
bool is_policy_file(std::string_view reference);

}  // namespace sallyport::policies
