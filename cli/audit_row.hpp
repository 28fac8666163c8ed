#pragma once
// One audit record as people read it: a row of texts. Pure; any thread. Assumes hostile values: every text is safe to
// print.

#include <boost/json/object.hpp>

#include <string>

namespace sallyport::cli {

struct AuditRow {
  std::string time;  // of day, UTC, milliseconds
  std::string type;
  std::string verdict;  // empty if the record has none
  std::string process;  // "npm[1234]"
  std::string rule;
  std::string reason;
  std::string what;  // GET host:443/path, a command line, a DNS name, …
};

AuditRow row_of(boost::json::object const& record);

enum class Colour { no, yes };

/// The row in columns, without a line feed.
std::string format_row(AuditRow const& row, Colour colour);
/// Names of the columns, aligned with format_row().
std::string format_header();

}  // namespace sallyport::cli
