#pragma once
// The findings of one message, from what a scanner reports to what is done: each recorded once, the first that forbids the message is
// its refusal. One thread at a time.

#include "dlp/finding.hpp"
#include "dlp/scanner.hpp"
#include "proxy/audit_port.hpp"
#include "proxy/dlp_rules.hpp"
#include "proxy/inspection.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sallyport::proxy {

/// The place of what a request ends and earlier ones began.
inline constexpr std::string_view kSeveralRequests = "requests";

/// Where findings come from.
struct FindingSource {
  std::string_view place;    // host, url, header, body, trailer or requests
  FoundAt at;
  std::uint64_t clear = 0;   // content before this may have left
};

/// What the log says of a finding itself; not whose it is, or where it was to go.
audit::DlpFinding record_of(dlp::Finding const& finding, dlp::Action action, std::string_view place);

class DlpJudge {
 public:
  /// Lifetime: all but the message outlive it.
  DlpJudge(std::shared_ptr<DlpRules const> rules, policies::DlpAction wanted, InspectedMessage const& message, AuditPort& audit)
      : rules_(std::move(rules)), wanted_(wanted), request_(message.request), permit_(message.permit), swaps_(message.swaps), direction_(message.direction), audit_(audit) {}

  void take(std::vector<dlp::Finding> findings, FindingSource const& source);
  /// Scans the fields behind a body, and takes what is found.
  void take_trailers(dlp::Scanner::Setup const& setup, std::vector<Field> const& trailers);

  std::optional<Refusal> const& refusal() const { return refusal_; }
  std::vector<Replacement> take_replacements() { return std::exchange(replacements_, {}); }

 private:
  dlp::Action action_on(dlp::Finding const& finding, FoundAt at);
  void note_swap(dlp::Finding const& finding, std::string_view place);
  void record(dlp::Finding const& finding, dlp::Action action, std::string_view place);
  void refuse(dlp::Finding const& finding, std::string_view place);
  void redact(dlp::Finding const& finding, std::uint64_t clear);
  /// Whether the finding is a placeholder that may stand here; its value then takes its place.
  bool swap(dlp::Finding const& finding, FindingSource const& source);

  std::shared_ptr<DlpRules const> rules_;
  policies::DlpAction wanted_;
  std::uint64_t request_;
  policies::AllowedTarget permit_;
  std::vector<BodySwap> swaps_;
  Direction direction_;
  AuditPort& audit_;
  std::set<std::pair<std::string, dlp::ValueDigest>> seen_;
  std::set<dlp::ValueDigest> with_their_vendor_;  // values that may go to this host
  std::set<dlp::ValueDigest> swapped_;            // placeholders that became values
  std::optional<Refusal> refusal_;
  std::vector<Replacement> replacements_;
};

}  // namespace sallyport::proxy
