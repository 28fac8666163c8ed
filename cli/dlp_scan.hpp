#pragma once
// `sallyport dlp scan` over files, directories, and standard input. Reads files; one thread.

#include "base/result.hpp"
#include "cli/command.hpp"
#include "dlp/scanner.hpp"

#include <istream>
#include <string>
#include <vector>

namespace sallyport::cli {

struct DlpRuleOptions {
  std::vector<std::string> disabled;
  std::vector<std::string> configs;  // gitleaks configurations
};

struct DlpScanOptions {
  std::vector<std::string> paths;
  DlpRuleOptions rules;
  bool no_ignore = false;
  bool jsonl = false;
  bool json = false;
  bool sarif = false;
};

/// The detectors in force, with a salt of this run; what of a configuration could not be taken over goes to `console.err`,
/// a line each. Error::invalid for an unknown detector, and a configuration that cannot be read.
Result<dlp::Scanner::Setup> dlp_setup(Console const& console, DlpRuleOptions const& options);

/// Scans what `options` names, or `input` if it names nothing; prints the findings. 0 none, 1 some, 2 a path that cannot be
/// read: what can be is scanned first.
int scan_files(Console const& console, dlp::Scanner::Setup const& setup, DlpScanOptions const& options,
               std::istream& input);

}  // namespace sallyport::cli
