#pragma once
// `sallyport audit show` and `sallyport audit list`. Read files and print; one thread. Do not verify, and say so when a
// line is no record.

#include "cli/command.hpp"

#include <string>
#include <vector>

namespace sallyport::cli {

enum class Output { table, json };

struct ShowOptions {
  std::string file;                // empty: by session, or the newest
  std::string session;             // the beginning of its id
  std::vector<std::string> types;  // "egress.request", or "egress" for all that begin so; empty: all
  bool denied = false;             // only records with verdict deny
  bool json = false;               // the lines as they stand in the file
};

/// Exit status: 0, or 2 if the log cannot be read.
int show_audit(Console const& console, std::string const& log_dir, ShowOptions const& options);

/// One line a session, oldest first: id, records, summary. Exit status as above.
int list_audit(Console const& console, std::string const& log_dir, Output output);

}  // namespace sallyport::cli
