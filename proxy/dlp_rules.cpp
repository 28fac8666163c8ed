#include "proxy/dlp_rules.hpp"

#include <algorithm>

namespace sallyport::proxy {
namespace {

/// Only what stands in one piece and in plain can be overwritten and leave a valid message.
bool can_be_redacted(dlp::Finding const& finding, FoundAt where) {
  bool const has_text = where.place == dlp::Place::body || where.place == dlp::Place::header;
  return has_text && where.spread == Spread::whole && finding.codings.empty() && finding.length > 0;
}

}  // namespace

bool is_forbidden(dlp::Finding const& finding) { return finding.detector == "canary" || finding.detector == "credential"; }

DlpRules::DlpRules(policies::DlpPolicy const& policy, std::string_view today) : action_(policy.action), reads_responses_(policy.responses) {
  for (auto const& exception : policy.allow) {
    if (!exception.until.empty() && exception.until < today) continue;
    if (auto pattern = policies::HostPattern::parse(exception.host))
      exceptions_.push_back({std::move(*pattern), exception.detector, exception.digest});
  }
}

bool DlpRules::is_excepted(dlp::Finding const& finding, policies::CanonicalHost const& host) const {
  return std::any_of(exceptions_.begin(), exceptions_.end(), [&](Exception const& each) {
    bool const is_value = each.digest.empty() || each.digest == dlp::to_hex(finding.digest);
    return each.detector == finding.detector && is_value && each.host.matches(host);
  });
}

dlp::Action DlpRules::act_on(dlp::Finding const& finding, FoundAt where, policies::CanonicalHost const& host,
                             policies::DlpAction wanted) const {
  if (is_forbidden(finding)) return dlp::Action::block;
  auto const shipped = dlp::judge(finding, {where.place, host.str()});
  if (shipped == dlp::Action::allow || wanted == policies::DlpAction::off || is_excepted(finding, host))
    return dlp::Action::allow;
  if (shipped == dlp::Action::alert || wanted == policies::DlpAction::alert) return dlp::Action::alert;
  bool const redacts = wanted == policies::DlpAction::redact && can_be_redacted(finding, where);
  return redacts ? dlp::Action::redact : dlp::Action::block;
}

std::string placeholder(std::string_view detector, std::size_t bytes) {
  std::string text = "REDACTED-";
  text.append(detector);
  text.resize(bytes, '-');
  return text;
}

}  // namespace sallyport::proxy
