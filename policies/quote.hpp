#pragma once
// Makes text of any origin safe to show inside a one-line message. Pure; any thread. Hardened against hostile bytes.

#include <string>
#include <string_view>

namespace sallyport::policies {

/// `text` in single quotes; bytes other than printable ASCII become \xHH, and what is beyond 100 bytes becomes "…".
std::string in_quotes(std::string_view text);

}  // namespace sallyport::policies
