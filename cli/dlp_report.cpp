#include "cli/dlp_report.hpp"

#include "base/version.hpp"
#include "dlp/example.hpp"
#include "dlp/rule_set.hpp"

namespace sallyport::cli {
namespace {

namespace json = boost::json;

std::string chain_of(dlp::Finding const& finding) {
  std::string chain;
  for (auto coding : finding.codings) chain += (chain.empty() ? "" : " > ") + std::string(dlp::to_string(coding));
  return chain;
}

json::object json_of(PlacedFinding const& placed) {
  auto const& finding = placed.finding;
  json::array codings;
  for (auto coding : finding.codings) codings.emplace_back(dlp::to_string(coding));
  return {{"path", placed.path},
          {"line", placed.place.line},
          {"column", placed.place.column},
          {"offset", finding.offset},
          {"length", finding.length},
          {"detector", finding.detector},
          {"severity", dlp::to_string(finding.severity)},
          {"certainty", dlp::to_string(finding.certainty)},
          {"codings", std::move(codings)},
          {"digest", dlp::to_hex(finding.digest)}};
}

std::string_view sarif_level(dlp::Finding const& finding) {
  bool sure = finding.certainty == dlp::Certainty::verified || finding.certainty == dlp::Certainty::shaped;
  return sure && finding.severity >= dlp::Severity::high ? "error" : "warning";
}

json::object sarif_result(PlacedFinding const& placed) {
  auto const& finding = placed.finding;
  auto chain = chain_of(finding);
  json::object region{{"startLine", placed.place.line},
                      {"startColumn", placed.place.column},
                      {"byteOffset", finding.offset},
                      {"byteLength", finding.length}};
  json::object location{{"artifactLocation", {{"uri", placed.path}}}, {"region", std::move(region)}};
  return {{"ruleId", finding.detector},
          {"level", sarif_level(finding)},
          {"message", {{"text", finding.detector + (chain.empty() ? "" : " in " + chain)}}},
          {"locations", json::array{json::object{{"physicalLocation", std::move(location)}}}},
          {"partialFingerprints", {{"saltedDigest/v1", dlp::to_hex(finding.digest)}}}};
}

json::array sarif_rules() {
  json::array rules;
  for (auto const& detector : dlp::builtin_detectors()) {
    rules.push_back(json::object{{"id", detector.id}, {"shortDescription", {{"text", detector.title}}}});
  }
  return rules;
}

json::object sarif_document(json::array results) {
  json::object driver{{"name", "sallyport"}, {"version", kVersion}, {"rules", sarif_rules()}};
  json::object run{{"tool", {{"driver", std::move(driver)}}}, {"results", std::move(results)}};
  return {{"$schema", "https://json.schemastore.org/sarif-2.1.0.json"},
          {"version", "2.1.0"},
          {"runs", json::array{std::move(run)}}};
}

void print_line(std::FILE* out, std::string const& line) { std::fprintf(out, "%s\n", line.c_str()); }

}  // namespace

void DlpReport::add(std::vector<PlacedFinding> const& findings) {
  for (auto const& placed : findings) print(placed);
  count_ += findings.size();
}

void DlpReport::print(PlacedFinding const& placed) {
  if (form_ == ReportAs::sarif) {
    sarif_results_.push_back(sarif_result(placed));
  } else if (form_ == ReportAs::json) {
    print_line(console_.out, json::serialize(json_of(placed)));
  } else {
    auto const& finding = placed.finding;
    auto chain = chain_of(finding);
    print_line(console_.out, placed.path + ":" + std::to_string(placed.place.line) + ":" +
                                 std::to_string(placed.place.column) + ": " + finding.detector + " (" +
                                 std::string(dlp::to_string(finding.severity)) + ", " +
                                 std::string(dlp::to_string(finding.certainty)) + ", " + std::to_string(finding.length) +
                                 " bytes)" + (chain.empty() ? "" : " in " + chain));
  }
}

std::size_t DlpReport::finish() {
  if (form_ == ReportAs::sarif) print_line(console_.out, json::serialize(sarif_document(std::move(sarif_results_))));
  return count_;
}

int list_detectors(Console const& console, ListAs form) {
  constexpr std::uint64_t kSeed = 1;
  for (auto const& detector : dlp::builtin_detectors()) {
    auto example = dlp::expand_example(detector.example, kSeed);
    std::string text = example ? *example : std::string();
    if (form == ListAs::json) {
      json::array hosts;
      for (auto host : detector.hosts) {
        if (!host.empty()) hosts.emplace_back(host);
      }
      print_line(console.out, json::serialize(json::object{{"id", detector.id},
                                                           {"title", detector.title},
                                                           {"severity", dlp::to_string(detector.severity)},
                                                           {"tier", dlp::to_string(detector.tier)},
                                                           {"hosts", std::move(hosts)},
                                                           {"example", text}}));
      continue;
    }
    std::fprintf(console.out, "%-28s %-9s %-11s %s\n", std::string(detector.id).c_str(),
                 std::string(dlp::to_string(detector.severity)).c_str(), std::string(dlp::to_string(detector.tier)).c_str(),
                 std::string(detector.title).c_str());
  }
  return 0;
}

}  // namespace sallyport::cli
