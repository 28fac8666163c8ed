#include "proxy/dlp_inspection.hpp"

#include "base/ascii.hpp"
#include "base/check.hpp"
#include "proxy/content_scan.hpp"
#include "proxy/dlp_judge.hpp"
#include "proxy/event_inspector.hpp"
#include "proxy/grpc_inspector.hpp"

#include <algorithm>
#include <ctime>
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

class DlpBody final : public BodyInspector {
 public:
  DlpBody(dlp::Scanner::Setup const& setup, std::optional<dlp::Coding> coding, DlpJudge judge)
      : setup_(setup), scan_(setup, coding), judge_(std::move(judge)) {}
  /// Of a stream; `before`: what came in front of this message.
  DlpBody(dlp::Scanner::Setup const& setup, std::string_view before, DlpJudge judge)
      : setup_(setup), scan_(setup, before), judge_(std::move(judge)) {}

  void feed(std::string_view content) override {
    auto const clear = clear_up_to();
    scan_.feed(content);
    judge_all(clear);
  }
  void finish(std::vector<Field> const& trailers) override {
    judge_.take_trailers(setup_, trailers);
    auto const clear = clear_up_to();
    scan_.finish();
    judge_all(clear);
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
};

}  // namespace

DlpInspection::DlpInspection(policies::DlpPolicy const& policy, DlpOptions options, AuditPort& audit)
    : rules_(std::make_shared<DlpRules const>(policy, today())), audit_(audit), setup_(policy, std::move(options)) {}

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

std::optional<Refusal> DlpInspection::inspect_head(InspectedMessage const& message, std::string_view head) {
  if (is_left_alone(message)) return std::nullopt;
  DlpJudge judge(rules_, wanted(message), message, audit_);
  auto const& host = message.permit.host().str();
  if (message.direction == Direction::request && !is_named(message.permit))
    judge.take(dlp::scan_at(setup_.get(), host, dlp::Place::dns), {"host", {dlp::Place::dns, Spread::whole}, 0});
  for (auto& finding : dlp::scan_at(setup_.get(), head, dlp::Place::header)) {
    bool const in_url = message.direction == Direction::request && finding.offset < head.find('\r');
    judge.take({std::move(finding)}, {in_url ? "url" : "header", {dlp::Place::header, Spread::whole}, 0});
  }
  return judge.refusal();
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
  return std::make_unique<DlpBody>(body_setup, known, std::move(judge));
}

}  // namespace sallyport::proxy
