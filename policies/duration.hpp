#pragma once
// Times as people write them, in policy files and on the command line. Pure; any thread.

#include "base/result.hpp"

#include <chrono>
#include <string>
#include <string_view>

namespace sallyport::policies {

/// "500ms", "30s", "5m", "1h"; not zero.
Result<std::chrono::milliseconds> parse_duration(std::string_view text);

/// In the largest unit that leaves no rest. parse_duration() gives the same time.
std::string duration_text(std::chrono::milliseconds duration);

}  // namespace sallyport::policies
