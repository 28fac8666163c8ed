#include "proxy/dlp_judge.hpp"

#include <algorithm>

namespace sallyport::proxy {
namespace {

namespace reason = policies::reason;

/// For people: what it is, without what it says.
std::string named(dlp::Finding const& finding) {
  if (!finding.name.empty()) return "the value of " + finding.name + " (" + finding.detector + ")";
  return "a secret (" + finding.detector + ")";
}

}  // namespace

void DlpJudge::take(std::vector<dlp::Finding> findings, FindingSource const& source) {
  for (auto const& finding : findings) {
    bool const is_new = seen_.emplace(finding.detector, finding.digest).second;
    if (!is_new && source.at.spread == Spread::in_pieces) continue;  // it was found in one piece
    auto const action = action_on(finding, source.at);
    if (action == dlp::Action::allow) continue;
    if (is_new) record(finding, action, source.place);
    if (action == dlp::Action::block && !refusal_) refuse(finding, source.place);
    if (action == dlp::Action::redact) redact(finding, source.clear);
  }
}

/// A known value that a detector knows, too, may go where that one may go.
dlp::Action DlpJudge::action_on(dlp::Finding const& finding, FoundAt at) {
  if (finding.detector == "known-value" && with_their_vendor_.contains(finding.digest)) return dlp::Action::allow;
  auto const action = rules_.act_on(finding, at, permit_.host(), wanted_);
  if (action == dlp::Action::allow) with_their_vendor_.insert(finding.digest);
  return action;
}

void DlpJudge::record(dlp::Finding const& finding, dlp::Action action, std::string_view place) {
  audit::DlpFinding record;
  record.id = request_;
  record.host = permit_.host().str();
  record.detector = finding.detector;
  record.severity = to_string(finding.severity);
  record.certainty = to_string(finding.certainty);
  record.action = to_string(action);
  record.place = place;
  record.offset = finding.offset;
  record.length = finding.length;
  for (auto const coding : finding.codings) record.codings.emplace_back(to_string(coding));
  record.digest = dlp::to_hex(finding.digest);
  record.known = finding.name;
  audit_.post(std::move(record));
}

void DlpJudge::refuse(dlp::Finding const& finding, std::string_view place) {
  auto verdict = permit_.verdict();
  verdict.action = policies::Action::deny;
  verdict.reason = reason::kSecret;
  verdict.hint = "The " + std::string(place) + " of this request holds " + named(finding) +
                 ". Do not retry: send it without the secret. If it belongs there, the user can add to the policy: dlp: {allow: [{host: " +
                 permit_.host().str() + ", detector: " + finding.detector + "}]}";
  refusal_ = refused_by(std::move(verdict));
}

/// The bytes stay as many, so that lengths and framing stay true.
void DlpJudge::redact(dlp::Finding const& finding, std::uint64_t clear) {
  auto const begin = std::max(finding.offset, clear);
  auto const end = finding.offset + finding.length;
  if (begin < end) replacements_.push_back({begin, placeholder(finding.detector, static_cast<std::size_t>(end - begin))});
}

}  // namespace sallyport::proxy
