#pragma once
// A gitleaks configuration as it is written: TOML with [[rules]] and allowlists. Pure; any thread. Knows nothing of
// detectors: what becomes of the rules is gitleaks_import's. Source: the README of gitleaks 8, section "Configuration".

#include "base/result.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace sallyport::dlp {

/// What is no finding although a rule matches it.
struct GitleaksAllowlist {
  std::vector<std::string> regexes;
  std::vector<std::string> stopwords;
  std::string regex_target;  // of `regexes`: empty or "secret", "match", "line"
  bool needs_all = false;    // condition = "AND"
  bool has_paths = false;    // or commits: it is about places, too
  int line = 0;
};

struct GitleaksRule {
  std::string id;
  std::string description;
  std::string regex;
  std::vector<std::string> keywords;
  double entropy = 0;
  int secret_group = 0;
  bool has_path = false;      // it is about names of files
  bool has_required = false;  // it needs other rules to match near by
  std::vector<GitleaksAllowlist> allowlists;
  int line = 0;
};

struct GitleaksFile {
  std::vector<GitleaksRule> rules;
  std::vector<GitleaksAllowlist> allowlists;  // of every rule
  bool extends = false;                       // another configuration
};

/// Error: not TOML, with "name:line:column: "; or it has no rules.
Result<GitleaksFile> read_gitleaks(std::string_view text, std::string_view name);

}  // namespace sallyport::dlp
