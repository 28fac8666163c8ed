#pragma once
// Verdicts in words. Pure; any thread.

#include "policies/verdict.hpp"

#include <string>

namespace sallyport::policies {

/// "allow by rule pypi-fetch (pypi.yaml:7)" or "deny by default: no_rule. <hint>", for people; no newline.
std::string explain_line(Verdict const& verdict);

/// {"verdict":…,"rule":…,"reason":…,"file":…,"line":…}, for machines; no newline.
std::string explain_json(Verdict const& verdict);

}  // namespace sallyport::policies
