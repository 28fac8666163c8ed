#pragma once
// The lines that close a session and its listing. Pure; any thread. Every text is safe to print.

#include "audit/tally.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace sallyport::cli {

/// "12 requests allowed, 3 refused, 1 name refused, 5 commands"
std::string summary_line(audit::Tally const& tally);

/// What `run` prints at its end: how much was refused, the first of it, and the command that shows the rest. Nothing if
/// nothing was refused.
std::optional<std::string> refusal_line(audit::Tally const& tally, std::string_view log_path);

}  // namespace sallyport::cli
