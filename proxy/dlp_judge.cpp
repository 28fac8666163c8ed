#include "proxy/dlp_judge.hpp"

#include <algorithm>

namespace sallyport::proxy {
namespace {

namespace reason = policies::reason;

constexpr std::string_view kCredential = "credential";
constexpr std::string_view kCanary = "canary";

/// For people: what it is, without what it says.
std::string named(dlp::Finding const& finding) {
  if (!finding.name.empty()) return "the value of " + finding.name + " (" + finding.detector + ")";
  return "a secret (" + finding.detector + ")";
}

std::string what_it_is(Direction direction) { return direction == Direction::response ? "response" : "request"; }

/// "The body of this request holds "
std::string start_of_hint(std::string_view place, Direction direction) {
  if (place == kSeveralRequests) return "This request and those before it to the same host hold, together, ";
  return "The " + std::string(place) + " of this " + what_it_is(direction) + " holds ";
}

std::string secret_hint(std::string const& holds, dlp::Finding const& finding, policies::CanonicalHost const& host) {
  if (finding.detector == kCanary) return holds + ", a decoy of this session: whatever sent it collects secrets. Do not retry; the user should look at it.";
  return holds + ". Do not retry: send it without the secret. If it belongs there, the user can allow this one value for " + host.str() +
         " with: sallyport dlp allow";
}

std::string came_back_hint(std::string const& holds) {
  return holds + ", and is kept from whoever asked. Do not retry. If it belongs there, the user can allow this one value with: sallyport dlp allow";
}

constexpr std::string_view kMisuse =
    " where it may not go. Do not retry: only requests to its own hosts carry it, in the spot that the policy names.";

}  // namespace

void DlpJudge::take(std::vector<dlp::Finding> findings, FindingSource const& source) {
  for (auto const& finding : findings) {
    if (swap(finding, source)) swapped_.insert(finding.digest);
  }
  for (auto const& finding : findings) {
    if (swapped_.contains(finding.digest)) continue;  // whichever detector it looks like
    bool const is_new = seen_.emplace(finding.detector, finding.digest).second;
    if (!is_new && source.at.spread == Spread::in_pieces) continue;  // it was found in one piece
    auto const action = action_on(finding, source.at);
    if (action == dlp::Action::allow) continue;
    if (is_new) record(finding, action, source.place);
    if (action == dlp::Action::block && !refusal_) refuse(finding, source.place);
    if (action == dlp::Action::redact) redact(finding, source.clear);
  }
}

void DlpJudge::take_trailers(dlp::Scanner::Setup const& setup, std::vector<Field> const& trailers) {
  std::string fields;
  for (auto const& field : trailers) fields.append(field.name).append(": ").append(field.value).append("\r\n");
  take(dlp::scan_at(setup, fields, dlp::Place::header), {"trailer", {dlp::Place::header, Spread::fixed}, 0});
}

/// A known value that a detector knows, too, may go where that one may go.
dlp::Action DlpJudge::action_on(dlp::Finding const& finding, FoundAt at) {
  if (finding.detector == "known-value" && with_their_vendor_.contains(finding.digest)) return dlp::Action::allow;
  auto const action = rules_->act_on(finding, at, permit_.host(), wanted_);
  if (action == dlp::Action::allow) with_their_vendor_.insert(finding.digest);
  return action;
}

bool DlpJudge::swap(dlp::Finding const& finding, FindingSource const& source) {
  if (finding.detector != kCredential || source.place != "body" || !finding.codings.empty()) return false;
  auto const is_it = [&](BodySwap const& each) { return each.name == finding.name && each.value.size() == finding.length; };
  auto const found = std::find_if(swaps_.begin(), swaps_.end(), is_it);
  if (found == swaps_.end() || finding.offset < source.clear) return false;
  if (source.at.spread == Spread::in_pieces) return true;  // seen in one piece, too
  replacements_.push_back({finding.offset, std::string(found->value)});
  if (seen_.emplace(finding.detector, finding.digest).second) note_swap(finding, source.place);
  return true;
}

void DlpJudge::note_swap(dlp::Finding const& finding, std::string_view place) {
  if (direction_ == Direction::response) return record(finding, dlp::Action::redact, place);
  audit_.post(audit::CredentialUse{request_, finding.name, permit_.host().str(), "body", false});
}

audit::DlpFinding record_of(dlp::Finding const& finding, dlp::Action action, std::string_view place) {
  audit::DlpFinding record;
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
  return record;
}

void DlpJudge::record(dlp::Finding const& finding, dlp::Action action, std::string_view place) {
  auto record = record_of(finding, action, direction_ == Direction::response ? "response " + std::string(place) : std::string(place));
  record.id = request_;
  record.host = permit_.host().str();
  audit_.post(std::move(record));
}

void DlpJudge::refuse(dlp::Finding const& finding, std::string_view place) {
  auto verdict = permit_.verdict();
  verdict.action = policies::Action::deny;
  verdict.reason = finding.detector == kCredential ? reason::kCredentialMisuse : reason::kSecret;
  auto const start = start_of_hint(place, direction_);
  if (finding.detector == kCredential) {
    verdict.hint = start + "the credential " + finding.name + std::string(kMisuse);
  } else {
    auto const holds = start + named(finding);
    verdict.hint = direction_ == Direction::response ? came_back_hint(holds) : secret_hint(holds, finding, permit_.host());
  }
  refusal_ = refused_by(std::move(verdict));
}

/// The bytes stay as many, so that lengths and framing stay true.
void DlpJudge::redact(dlp::Finding const& finding, std::uint64_t clear) {
  auto const begin = std::max(finding.offset, clear);
  auto const end = finding.offset + finding.length;
  if (begin < end) replacements_.push_back({begin, placeholder(finding.detector, static_cast<std::size_t>(end - begin))});
}

}  // namespace sallyport::proxy
