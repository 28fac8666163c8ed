#pragma once
// Reads an audit log the way a user's script would: a line, a JSON object. Throws when a line is none. Any thread.

#include <boost/json.hpp>
#include <filesystem>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sallyport::test {

using Record = boost::json::object;
using Records = std::vector<Record>;

/// Of a session that still runs, too: a last line without its end is being written, and is left out.
Records read_records(std::filesystem::path const& file);

/// The value at a path like "process.exe" or "seq" as text; empty when it is not there.
std::string text_at(Record const& record, std::string_view path);

/// Those of `records` that hold every one of these values, in order.
using Wanted = std::initializer_list<std::pair<std::string_view, std::string_view>>;
Records having(Records const& records, Wanted wanted);

/// The command.exec records that led to `record`, outermost first, as their argv joined with spaces.
std::vector<std::string> command_chain(Records const& all, Record const& record);

/// All records, one a line: what a failed expectation prints.
std::string print(Records const& records);

}  // namespace sallyport::test
