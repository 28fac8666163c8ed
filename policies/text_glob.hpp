#pragma once
// Patterns for header and query values: '*' stands for any bytes, the rest is literal. Pure; any thread. Hardened against
// hostile text: time grows with pattern times text, and patterns are short (limits::kMaxTextGlobBytes).

#include <string_view>

namespace sallyport::policies {

/// Compares with case.
bool text_matches(std::string_view glob, std::string_view text);

}  // namespace sallyport::policies
