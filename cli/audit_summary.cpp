#include "cli/audit_summary.hpp"

#include "audit/json_text.hpp"

#include <cstdint>

namespace sallyport::cli {

namespace {

std::string counted(std::uint64_t count, std::string_view noun) {
  return std::to_string(count) + " " + std::string(noun) + (count == 1 ? "" : "s");
}

}  // namespace

std::string summary_line(audit::Tally const& tally) {
  auto line =
      counted(tally.requests_allowed, "request") + " allowed, " + std::to_string(tally.requests_denied) + " refused, ";
  if (tally.names_denied > 0) line += counted(tally.names_denied, "name") + " refused, ";
  line += counted(tally.commands, "command");
  if (tally.commands_denied > 0) line += ", " + std::to_string(tally.commands_denied) + " of them refused";
  return line;
}

std::optional<std::string> refusal_line(audit::Tally const& tally, std::string_view log_path) {
  if (tally.denied() == 0) return std::nullopt;
  auto const first = tally.first_denied.value_or(audit::Tally::Denied());
  auto const why = first.reason.empty() ? "" : " (" + audit::printable(first.reason) + ")";
  return "refused " + counted(tally.denied(), "time") + ", first " + audit::printable(first.subject) + why +
         "; see: sallyport audit show --denied " + std::string(log_path);
}

}  // namespace sallyport::cli
