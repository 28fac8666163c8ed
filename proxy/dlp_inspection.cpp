#include "proxy/dlp_inspection.hpp"

#include "base/ascii.hpp"
#include "base/check.hpp"
#include "dlp/decompressor.hpp"
#include "proxy/content_scan.hpp"
#include "proxy/dlp_judge.hpp"
#include "proxy/event_inspector.hpp"
#include "proxy/grpc_inspector.hpp"

#include <algorithm>
#include <array>
#include <ctime>
#include <functional>
#include <utility>

namespace sallyport::proxy {
namespace {

namespace reason = policies::reason;
using policies::DlpAction;

/// In UTC.
std::string today() {
  std::time_t const now = std::time(nullptr);
  std::tm day{};
  ::gmtime_r(&now, &day);
  char text[sizeof "YYYY-MM-DD"];
  return {text, std::strftime(text, sizeof text, "%Y-%m-%d", &day)};
}

/// Whether the rule says this very name: then its labels are the policy's, not the client's.
bool is_named(policies::AllowedTarget const& permit) {
  auto const& hosts = permit.rule().hosts;
  return std::find(hosts.begin(), hosts.end(), permit.host().str()) != hosts.end();
}

Refusal unreadable(InspectedMessage const& message, std::string_view coding) {
  auto verdict = message.permit.verdict();
  verdict.action = policies::Action::deny;
  verdict.reason = reason::kUnreadable;
  verdict.hint = "The body has the Content-Encoding '" + std::string(coding) +
                 "', which cannot be undone to look for secrets. Send it plain, or with gzip, deflate, br or zstd.";
  return refused_by(std::move(verdict));
}

/// For what is searched only for values that are known: no detector costs anything.
std::shared_ptr<dlp::RuleSet const> no_detectors() {
  static auto const none = [] {
    dlp::RuleSet::Options options;
    for (auto const& detector : dlp::builtin_detectors()) options.disabled.emplace_back(detector.id);
    return dlp::RuleSet::build(std::move(options)).value();
  }();
  return none;
}

/// What is overwritten has to be seen wherever it stands.
dlp::Scanner::Setup every_time(dlp::Scanner::Setup setup) {
  setup.repeats = dlp::Repeats::every;
  return setup;
}

FindingSource over_requests(dlp::Place place) { return {kSeveralRequests, {place, Spread::in_pieces}, 0}; }

/// What stands where in the head of a request.
class HeadParts {
 public:
  explicit HeadParts(std::string_view head) : head_(head), line_end_(std::min(head.find('\r'), head.size())), query_(head.substr(0, line_end_).find('?')) {}

  bool is_in_url(dlp::Finding const& finding) const { return finding.offset < line_end_; }
  /// Whether other letters in its place leave the request what it was allowed as: in the query, and in fields that say nothing of host,
  /// framing or connection.
  bool is_value(dlp::Finding const& finding) const {
    auto const at = static_cast<std::size_t>(std::min<std::uint64_t>(finding.offset, head_.size()));
    if (at < line_end_) return query_ != std::string_view::npos && at > query_;
    auto const line = head_.substr(head_.rfind('\n', at) + 1);
    auto const name = lower_case(line.substr(0, line.find(':')));
    bool const in_value = head_.data() + at > line.data() + name.size();
    return in_value && name != "host" && name != "content-length" && name != "transfer-encoding" && name != "connection";
  }

 private:
  std::string_view head_;
  std::size_t line_end_;  // of the request line
  std::size_t query_;     // of its '?'; npos: there is none
};

/// A short body, together with what its host was told before.
class FollowedBody {
 public:
  using Judge = std::function<bool(std::vector<dlp::Finding>)>;
  FollowedBody(std::shared_ptr<HostTrail> trail, std::optional<dlp::Coding> coding)
      : trail_(std::move(trail)), unpacks_(coding ? dlp::make_decompressor(*coding) : nullptr) {}

  /// Everything that came so far, before it goes on.
  std::vector<dlp::Finding> feed(dlp::Scanner::Setup const& setup, std::string_view content) {
    if (!trail_) return {};
    unpacks_ ? unpack(content) : add(content);
    if (content_.size() > dlp::kMaxFollowedBody) trail_.reset();
    return trail_ ? trail_->look(setup, dlp::body_values(content_)) : std::vector<dlp::Finding>();
  }
  /// Once more, for what left meanwhile.
  void leave(dlp::Scanner::Setup const& setup, Judge const& judge) {
    if (trail_) trail_->leave(setup, dlp::body_values(content_), judge);
  }

 private:
  void add(std::string_view content) { content_ += content.substr(0, dlp::kMaxFollowedBody + 1 - content_.size()); }
  /// No more than is looked at; what fails to unpack holds nothing.
  void unpack(std::string_view content) {
    std::array<char, dlp::kMaxFollowedBody + 1> block;
    for (auto state = dlp::StreamState::open; state == dlp::StreamState::open && content_.size() <= dlp::kMaxFollowedBody;) {
      auto const step = unpacks_->step(content, block);
      add({block.data(), step.produced});
      content.remove_prefix(step.consumed);
      if (step.produced == 0 && (step.consumed == 0 || content.empty())) return;
      state = step.state;
    }
  }

  std::shared_ptr<HostTrail> trail_;  // null: nothing is followed, or no more
  std::unique_ptr<dlp::Decompressor> unpacks_;  // null: it comes as it is
  std::string content_;
};

class DlpBody final : public BodyInspector {
 public:
  DlpBody(dlp::Scanner::Setup const& setup, std::optional<dlp::Coding> coding, DlpJudge judge, std::shared_ptr<HostTrail> trail)
      : setup_(setup), scan_(setup, coding), judge_(std::move(judge)), followed_(std::move(trail), coding) {}
  /// Of a stream; `before`: what came in front of this message.
  DlpBody(dlp::Scanner::Setup const& setup, std::string_view before, DlpJudge judge)
      : setup_(setup), scan_(setup, before), judge_(std::move(judge)), followed_(nullptr, std::nullopt) {}

  void feed(std::string_view content) override {
    auto const clear = clear_up_to();
    scan_.feed(content);
    judge_all(clear);
    judge_.take(followed_.feed(setup_, content), over_requests(dlp::Place::body));
  }
  void finish(std::vector<Field> const& trailers) override {
    judge_.take_trailers(setup_, trailers);
    auto const clear = clear_up_to();
    scan_.finish();
    judge_all(clear);
    followed_.leave(setup_, [this](std::vector<dlp::Finding> found) {
      judge_.take(std::move(found), over_requests(dlp::Place::body));
      return !judge_.refusal();
    });
  }
  std::uint64_t clear_up_to() const override { return scan_.clear_up_to(); }
  std::optional<Refusal> const& refusal() const override { return judge_.refusal(); }
  std::vector<Replacement> take_replacements() override { return judge_.take_replacements(); }

 private:
  void judge_all(std::uint64_t clear) {
    auto found = scan_.take_findings();
    judge_.take(std::move(found.whole), {"body", {dlp::Place::body, Spread::whole}, clear});
    judge_.take(std::move(found.in_pieces), {"body", {dlp::Place::body, Spread::in_pieces}, clear});
  }

  dlp::Scanner::Setup setup_;
  ContentScan scan_;
  DlpJudge judge_;
  FollowedBody followed_;
};

}  // namespace

DlpInspection::DlpInspection(policies::DlpPolicy const& policy, DlpOptions options, Trails& trails, AuditPort& audit)
    : rules_(std::make_shared<DlpRules const>(policy, today())), audit_(audit), setup_(policy, std::move(options)), trails_(trails) {}

void DlpInspection::replace(policies::DlpPolicy const& policy) {
  rules_ = std::make_shared<DlpRules const>(policy, today());
  setup_.replace(policy);
}

/// A response that is looked at only for the credentials of its request may hold everything else.
DlpAction DlpInspection::wanted(InspectedMessage const& message) const {
  if (message.direction == Direction::response && !rules_->reads_responses()) return DlpAction::off;
  return message.permit.rule().dlp.value_or(rules_->action());
}

bool DlpInspection::reads_response(InspectedMessage const& message) const {
  bool const searched = rules_->reads_responses() && message.permit.rule().dlp.value_or(rules_->action()) != DlpAction::off;
  return searched || !message.swaps.empty();
}

bool DlpInspection::is_left_alone(InspectedMessage const& message) const {
  if (message.direction == Direction::response) return !reads_response(message);
  return wanted(message) == DlpAction::off && !setup_.holds_forbidden();
}

std::vector<DlpInspection::Judged> DlpInspection::search_name(policies::CanonicalHost const& name, std::string_view spelled,
                                                              DlpAction wanted) {
  std::vector<Judged> judged;
  if (wanted == DlpAction::off && !setup_.holds_forbidden()) return judged;
  for (auto& finding : dlp::scan_at(setup_.get(), spelled, dlp::Place::dns)) {
    auto const action = rules_->act_on(finding, {dlp::Place::dns, Spread::whole}, name, wanted);
    if (action != dlp::Action::allow) judged.push_back({std::move(finding), action});
  }
  return judged;
}

Attempt<std::vector<HeadReplacement>> DlpInspection::inspect_head(InspectedMessage const& message, std::string_view head) {
  if (is_left_alone(message)) return std::vector<HeadReplacement>();
  DlpJudge judge(rules_, wanted(message), message, audit_);
  auto const& host = message.permit.host().str();
  bool const is_request = message.direction == Direction::request;
  if (is_request && !is_named(message.permit))
    judge.take(dlp::scan_at(setup_.get(), host, dlp::Place::dns), {"host", {dlp::Place::dns, Spread::whole}, 0});
  HeadParts const parts(head);
  bool const redacts = wanted(message) == DlpAction::redact;
  auto const& setup = setup_.get();
  auto findings = redacts ? dlp::scan_at(every_time(setup), head, dlp::Place::header) : dlp::scan_at(setup, head, dlp::Place::header);
  for (auto& finding : findings) {
    auto const spread = is_request && parts.is_value(finding) ? Spread::whole : Spread::fixed;
    std::string_view const place = is_request && parts.is_in_url(finding) ? "url" : "header";
    judge.take({std::move(finding)}, {place, {dlp::Place::header, spread}, 0});
  }
  if (is_request) follow(head, host, judge);
  if (judge.refusal()) return *judge.refusal();
  std::vector<HeadReplacement> replacements;
  for (auto& each : judge.take_replacements())
    replacements.push_back({std::string(head.substr(static_cast<std::size_t>(each.offset), each.text.size())), std::move(each.text)});
  return replacements;
}

/// Together with what the host was told before.
void DlpInspection::follow(std::string_view head, std::string const& host, DlpJudge& judge) {
  trails_.of(host)->leave(setup_.get(), dlp::head_values(head), [&judge](std::vector<dlp::Finding> found) {
    judge.take(std::move(found), over_requests(dlp::Place::header));
    return !judge.refusal();
  });
}

Attempt<std::unique_ptr<BodyInspector>> DlpInspection::inspect_body(InspectedMessage const& message, BodyForm form) {
  auto const action = wanted(message);
  if (is_left_alone(message)) return std::unique_ptr<BodyInspector>();
  auto const coding = lower_case(form.content_coding);
  auto const known = dlp::content_coding_of(coding);
  bool const closed = !known && !coding.empty() && coding != "identity";
  bool const must_be_read = action == DlpAction::block || action == DlpAction::redact || setup_.holds_forbidden();
  if (closed && must_be_read) return unreadable(message, form.content_coding);
  auto body_setup = setup_.get();
  bool const only_credentials = message.direction == Direction::response && !rules_->reads_responses();
  if (only_credentials) body_setup.rules = no_detectors();
  if (action == DlpAction::redact || !message.swaps.empty()) body_setup.repeats = dlp::Repeats::every;
  DlpJudge judge(rules_, action, message, audit_);
  if (form.grpc_coding && coding.empty()) {
    return std::make_unique<GrpcInspector>(body_setup, *form.grpc_coding, std::move(judge), message.permit.verdict());
  }
  if (form.events && !known) return std::make_unique<EventInspector>(body_setup, std::move(judge));
  if (!form.before.empty() && !known) return std::make_unique<DlpBody>(body_setup, form.before, std::move(judge));
  bool const followed = message.direction == Direction::request;
  return std::make_unique<DlpBody>(body_setup, known, std::move(judge), followed ? trails_.of(message.permit.host().str()) : nullptr);
}

}  // namespace sallyport::proxy
