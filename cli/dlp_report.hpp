#pragma once
// Prints findings: a line each for people, JSON Lines, or SARIF 2.1.0. Never the secret itself. One thread.

#include "cli/command.hpp"
#include "dlp/finding.hpp"

#include <boost/json.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace sallyport::cli {

struct LinePlace {
  std::uint64_t line = 1;
  std::uint64_t column = 1;  // in bytes
};

struct PlacedFinding {
  std::string path;
  LinePlace place;
  dlp::Finding finding;
};

enum class ReportAs { text, json, sarif };

class DlpReport {
 public:
  DlpReport(Console const& console, ReportAs form) : console_(console), form_(form) {}
  /// Prints at once, but for SARIF.
  void add(std::vector<PlacedFinding> const& findings);
  /// Prints what is left. How many findings there were.
  std::size_t finish();

 private:
  void print(PlacedFinding const& placed);

  Console const& console_;
  ReportAs form_;
  std::size_t count_ = 0;
  boost::json::array sarif_results_;
};

enum class ListAs { table, json };
/// `sallyport dlp detectors`. 0.
int list_detectors(Console const& console, ListAs form);

}  // namespace sallyport::cli
