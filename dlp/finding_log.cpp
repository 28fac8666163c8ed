#include "dlp/finding_log.hpp"

namespace sallyport::dlp {

Origin Origin::within(Span source, Coding coding) const {
  Origin inner = *this;
  if (codings.empty()) {
    inner.base = base + source.begin;
    inner.length = source.size();
  }
  inner.codings.push_back(coding);
  return inner;
}

void FindingLog::add(RuleSet const& rules, Match const& match, std::string_view text, Origin const& origin) {
  auto const& detector = rules.detectors()[match.detector];
  Finding finding;
  finding.detector = std::string(detector.id);
  finding.severity = detector.severity;
  finding.tier = detector.tier;
  finding.certainty = match.certainty;
  finding.codings = origin.codings;
  bool plain = origin.codings.empty();
  finding.offset = origin.base + (plain ? match.begin : 0);
  finding.length = plain ? match.end - match.begin : origin.length;
  for (auto host : detector.hosts) {
    if (!host.empty()) finding.hosts.push_back(host);
  }
  add(std::move(finding), match.joined.empty() ? text.substr(match.begin, match.end - match.begin) : match.joined);
}

void FindingLog::add(Finding finding, std::string_view value) {
  finding.digest = value_digest(salt_, value);
  if (repeats_ == Repeats::every) return add_repeat(std::move(finding));
  if (seen_.size() >= kMaxFindings || !seen_.emplace(finding.detector, finding.digest).second) return;
  findings_.push_back(std::move(finding));
}

void FindingLog::add_repeat(Finding finding) {
  ++count_;
  if (count_ <= kMaxFindings) findings_.push_back(std::move(finding));
  if (count_ == kMaxFindings + 1) findings_.push_back(decode_limit_at(finding.offset));
}

}  // namespace sallyport::dlp
