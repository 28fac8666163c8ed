#pragma once
// The salt under which a user's sessions write digests of findings: the same in all of them, so that an exception for one value holds in the
// next session, and in nobody else's, so that a digest tells nothing. Blocking file access; any thread.

#include "base/result.hpp"

#include <string>

namespace sallyport::cli {

/// DIR/dlp.salt, made on first use. Error: it cannot be made, or others can read it.
Result<std::string> load_or_create_salt(std::string const& dir);

}  // namespace sallyport::cli
