#include "cli/dlp_scan.hpp"

#include "cli/dlp_files.hpp"
#include "cli/dlp_report.hpp"
#include "dlp/gitleaks_import.hpp"
#include "dlp/joined_scan.hpp"

#include <array>
#include <fstream>
#include <iterator>
#include <random>

namespace sallyport::cli {
namespace {

/// Findings need their line, which only a report for people and for editors shows; lines are counted while the stream
/// passes.
class LineCount {
 public:
  void feed(std::string_view bytes) {
    for (std::size_t at = bytes.find('\n'); at != std::string_view::npos; at = bytes.find('\n', at + 1)) {
      starts_.push_back(seen_ + at + 1);
    }
    seen_ += bytes.size();
  }
  LinePlace place_of(std::uint64_t offset) const {
    auto next = std::upper_bound(starts_.begin(), starts_.end(), offset);
    return {static_cast<std::uint64_t>(next - starts_.begin()), offset - *(next - 1) + 1};
  }

 private:
  std::vector<std::uint64_t> starts_{0};
  std::uint64_t seen_ = 0;
};

std::vector<PlacedFinding> scan_stream(dlp::Scanner::Setup const& setup, std::istream& input, std::string const& path) {
  dlp::Scanner scanner(setup);
  dlp::JoinedScan joined(setup);
  LineCount lines;
  std::array<char, 64 * 1024> block;
  while (input.read(block.data(), block.size()) || input.gcount() > 0) {
    std::string_view bytes(block.data(), static_cast<std::size_t>(input.gcount()));
    scanner.feed(bytes);
    joined.feed(bytes);
    lines.feed(bytes);
  }
  scanner.finish();
  joined.finish();
  auto findings = scanner.take_findings();
  for (auto& finding : joined.take_findings()) dlp::add_new(std::move(finding), findings);
  std::vector<PlacedFinding> placed;
  for (auto& finding : findings) {
    auto place = lines.place_of(finding.offset);
    placed.push_back({path, place, std::move(finding)});
  }
  return placed;
}

Result<dlp::ImportedDetectors> import_file(std::string const& path) {
  std::ifstream file(path, std::ios::binary);
  std::string const text{std::istreambuf_iterator<char>(file), {}};
  if (!file) return Error{Code::invalid, 0, "cannot read " + path};
  return dlp::import_gitleaks(text, path);
}

std::string random_salt() {
  std::random_device device;
  std::string salt;
  while (salt.size() < 32) salt += static_cast<char>(device() & 0xff);
  return salt;
}

}  // namespace

Result<dlp::Scanner::Setup> dlp_setup(Console const& console, DlpRuleOptions const& options) {
  dlp::RuleSet::Options wanted{.disabled = options.disabled, .imported = {}};
  for (auto const& path : options.configs) {
    auto imported = import_file(path);
    if (!imported) return imported.error();
    for (auto const& note : imported->not_imported) std::fprintf(console.err, "sallyport: %s\n", note.c_str());
    wanted.imported.push_back(std::move(*imported));
  }
  auto rules = dlp::RuleSet::build(std::move(wanted));
  if (!rules) return rules.error();
  return dlp::Scanner::Setup{*rules, nullptr, random_salt()};
}

int scan_files(Console const& console, dlp::Scanner::Setup const& setup, DlpScanOptions const& options,
               std::istream& input) {
  auto form = options.sarif ? ReportAs::sarif : options.json ? ReportAs::json : ReportAs::text;
  DlpReport report(console, form);
  if (options.paths.empty()) report.add(scan_stream(setup, input, "-"));
  bool failed = false;
  auto visit = [&](std::string const& path) {
    std::ifstream file(path, std::ios::binary);
    if (file) return report.add(scan_stream(setup, file, path));
    std::fprintf(console.err, "sallyport: cannot read %s\n", path.c_str());
    failed = true;
  };
  for (auto const& path : options.paths) {
    auto listed = for_each_file(path, options.no_ignore ? Ignored::visit : Ignored::skip, visit);
    if (listed) continue;
    std::fprintf(console.err, "sallyport: %s\n", listed.error().what.c_str());
    failed = true;
  }
  auto count = report.finish();
  if (failed) return 2;
  return count > 0 ? 1 : 0;
}

}  // namespace sallyport::cli
