#include "cli/audit_show.hpp"

#include "audit/line_reader.hpp"
#include "audit/places.hpp"
#include "audit/record.hpp"
#include "cli/audit_files.hpp"
#include "cli/audit_row.hpp"
#include "cli/audit_summary.hpp"

#include <boost/json/serialize.hpp>

#include <algorithm>
#include <functional>
#include <string_view>

namespace sallyport::cli {

namespace {

namespace json = boost::json;

constexpr int kOk = 0;
constexpr int kUnreadable = 2;

void print_line(std::FILE* to, std::string_view line) {
  std::fprintf(to, "%.*s\n", static_cast<int>(line.size()), line.data());
}

int fail(Console const& console, Error const& error) {
  print_line(console.err, "sallyport: " + error.what);
  return kUnreadable;
}

Result<std::string> chosen_log(std::string const& log_dir, ShowOptions const& options) {
  if (!options.file.empty()) return options.file;
  return options.session.empty() ? newest_log(log_dir) : log_of_session(log_dir, options.session);
}

bool is_of_type(std::string_view type, std::string const& wanted) {
  return type == wanted || type.starts_with(wanted + ".");
}

bool is_wanted(json::object const& record, ShowOptions const& options) {
  auto const facts = audit::facts_of(record);
  if (options.denied && facts.verdict != "deny") return false;
  auto const matches = [&](std::string const& wanted) { return is_of_type(facts.type, wanted); };
  return options.types.empty() || std::any_of(options.types.begin(), options.types.end(), matches);
}

using Visit = std::function<void(audit::Line const&, json::object const&)>;
using Complain = std::function<void(audit::Line const&, Error const&)>;

/// Calls `visit` for every record of the log, and `complain` for every line that is none.
Result<void> for_each_record(std::string const& path, Visit const& visit, Complain const& complain) {
  auto lines = audit::LineReader::open(path);
  if (!lines) return lines.error();
  for (;;) {
    auto const line = lines->next();
    if (!line) return line.error();
    if (!*line) return {};
    auto const record = audit::parse_record((*line)->text);
    if (record) {
      visit(**line, *record);
    } else {
      complain(**line, record.error());
    }
  }
}

/// Id, number of records and tally of one log.
struct Listing {
  std::string session;
  std::uint64_t records = 0;
  std::uint64_t bad_lines = 0;
  audit::Tally tally;
};

Result<Listing> listing_of(std::string const& path) {
  Listing listing;
  auto const count = [&](audit::Line const&, json::object const& record) {
    if (listing.records++ == 0) listing.session = audit::text_in(record, "session");
    listing.tally.add(audit::facts_of(record));
  };
  auto const read = for_each_record(path, count, [&](audit::Line const&, Error const&) { ++listing.bad_lines; });
  if (!read) return read.error();
  return listing;
}

}  // namespace

int show_audit(Console const& console, std::string const& log_dir, ShowOptions const& options) {
  auto const path = chosen_log(log_dir, options);
  if (!path) return fail(console, path.error());
  auto const colour = console.colour ? Colour::yes : Colour::no;
  audit::Tally tally;
  if (!options.json) print_line(console.out, format_header());
  auto const print = [&](audit::Line const& line, json::object const& record) {
    tally.add(audit::facts_of(record));
    if (!is_wanted(record, options)) return;
    print_line(console.out, options.json ? std::string(line.text) : format_row(row_of(record), colour));
  };
  auto const complain = [&](audit::Line const& line, Error const& error) {
    print_line(console.err,
               "sallyport: line " + std::to_string(line.number) + ": " + error.what + "; see: sallyport audit verify");
  };
  if (auto const read = for_each_record(*path, print, complain); !read) return fail(console, read.error());
  if (!options.json) print_line(console.out, summary_line(tally));
  return kOk;
}

int list_audit(Console const& console, std::string const& log_dir, Output output) {
  auto const logs = audit::list_logs(log_dir);
  if (!logs) return fail(console, logs.error());
  for (auto const& path : *logs) {
    auto const listing = listing_of(path);
    if (!listing) return fail(console, listing.error());
    auto const& [session, records, bad_lines, tally] = *listing;
    if (output == Output::table) {
      print_line(console.out, path + "  " + summary_line(tally) + (bad_lines > 0 ? "  (damaged)" : ""));
      continue;
    }
    json::object object{{"file", path},
                        {"session", session},
                        {"records", records},
                        {"bad_lines", bad_lines},
                        {"requests_allowed", tally.requests_allowed},
                        {"requests_denied", tally.requests_denied},
                        {"names_denied", tally.names_denied},
                        {"commands", tally.commands},
                        {"commands_denied", tally.commands_denied}};
    print_line(console.out, json::serialize(object));
  }
  return kOk;
}

}  // namespace sallyport::cli
