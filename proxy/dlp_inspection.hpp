#pragma once
// Looks for secrets in what leaves: the inspection stage of the product. Heads and hosts are judged whole, bodies as a
// stream. Every finding is one dlp.finding record, in front of the verdict it leads to; the secret itself is in none.

#include "policies/policy.hpp"
#include "proxy/audit_port.hpp"
#include "proxy/dlp_judge.hpp"
#include "proxy/dlp_rules.hpp"
#include "proxy/dlp_setup.hpp"
#include "proxy/inspection.hpp"
#include "proxy/trails.hpp"

#include <memory>
#include <string>
#include <vector>

namespace sallyport::proxy {

class DlpInspection final : public Inspection {
 public:
  /// Detectors are compiled when the first message is looked at. Lifetime: `trails` and `audit` outlive it.
  /// REQUIRES: check_detectors() found nothing wrong with `policy`.
  DlpInspection(policies::DlpPolicy const& policy, DlpOptions options, Trails& trails, AuditPort& audit);

  /// For messages that come from now on. The same REQUIRES. Values that are known stay those of the start.
  void replace(policies::DlpPolicy const& policy);

  /// Looks for this value, too, in messages that come from now on.
  void learn(dlp::KnownValue const& value) { setup_.learn(value); }

  struct Judged {
    dlp::Finding finding;
    dlp::Action action = dlp::Action::block;  // never allow
  };
  /// What a name holds, as `spelled`, that must not be told or is worth a record. `wanted`: the action of the rule that
  /// allows it.
  std::vector<Judged> search_name(policies::CanonicalHost const& name, std::string_view spelled,
                                  policies::DlpAction wanted);

  bool reads_response(InspectedMessage const& message) const override;
  Attempt<std::vector<HeadReplacement>> inspect_head(InspectedMessage const& message, std::string_view head) override;
  Attempt<std::unique_ptr<BodyInspector>> inspect_body(InspectedMessage const& message, BodyForm form) override;

 private:
  policies::DlpAction wanted(InspectedMessage const& message) const;
  void follow(std::string_view head, std::string const& host, DlpJudge& judge);
  bool is_left_alone(InspectedMessage const& message) const;

  std::shared_ptr<DlpRules const> rules_;  // a message keeps those it began with
  AuditPort& audit_;
  DlpSetup setup_;
  Trails& trails_;
};

}  // namespace sallyport::proxy
