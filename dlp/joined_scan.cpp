#include "dlp/joined_scan.hpp"

#include "dlp/limits.hpp"
#include "dlp/name_scan.hpp"
#include "dlp/value_join.hpp"

#include <algorithm>
#include <utility>

namespace sallyport::dlp {
namespace {

/// What one reading of the values as one text shows.
void scan_reading(Scanner::Setup const& setup, JoinedValues const& values, std::vector<Finding>& findings) {
  if (values.pieces.size() < 2) return;
  auto const joined = with_edges(*setup.rules, values);
  for (auto& finding : scan_message(setup, joined.text)) {
    auto end = std::min<std::size_t>(finding.offset + std::max<std::size_t>(finding.length, 1), joined.text.size());
    if (!is_believed_in_pieces(finding) || finding.offset >= end) continue;
    auto source = joined.source_of(finding.offset, end);
    finding.offset = source.begin;
    finding.length = source.size();
    add_new(std::move(finding), findings);
  }
}

}  // namespace

bool is_believed_in_pieces(Finding const& finding) {
  bool token = finding.tier == Tier::token || finding.tier == Tier::structural;
  bool sure =
      finding.certainty == Certainty::verified || (finding.certainty == Certainty::shaped && finding.tier == Tier::token);
  return token && sure && finding.severity >= Severity::high;
}

void add_new(Finding finding, std::vector<Finding>& findings) {
  auto const same = [&](Finding const& other) { return other.detector == finding.detector && other.digest == finding.digest; };
  if (std::none_of(findings.begin(), findings.end(), same)) findings.push_back(std::move(finding));
}

void scan_joined(Scanner::Setup const& setup, std::string_view message, std::vector<Finding>& findings) {
  auto const values = join_values(message);
  scan_reading(setup, values, findings);
  scan_reading(setup, decoded_values(values), findings);
  scan_reading(setup, path_parts(message), findings);
  auto const name = name_in(message);
  if (!name.empty()) scan_name(setup, name, static_cast<std::uint64_t>(name.data() - message.data()), findings);
}

void JoinedScan::feed(std::string_view bytes) {
  while (!bytes.empty()) {
    auto piece = bytes.substr(0, kMaxJoined - window_.size());
    window_ += piece;
    bytes.remove_prefix(piece.size());
    if (window_.size() == kMaxJoined) judge(kJoinedOverlap);
  }
}

void JoinedScan::finish() { judge(0); }

/// Judges the window, and begins the next with its last `keep` bytes.
void JoinedScan::judge(std::size_t keep) {
  std::vector<Finding> found;
  scan_joined(setup_, window_, found);
  for (auto& finding : found) {
    finding.offset += base_;
    findings_.push_back(std::move(finding));
  }
  base_ += window_.size() - keep;
  window_.erase(0, window_.size() - keep);
}

std::vector<Finding> JoinedScan::take_findings() { return std::exchange(findings_, {}); }

}  // namespace sallyport::dlp
