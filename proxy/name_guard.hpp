#pragma once
// Judges names before anybody is asked about them: a name can be the message. What a rule says in full is the policy's own;
// other names, which a wildcard allows, are searched for secrets and counted (proxy/name_budget.hpp). Thread: its
// worker's. No I/O but records.

#include "base/result.hpp"
#include "policies/engine.hpp"
#include "proxy/audit_port.hpp"
#include "proxy/dlp_inspection.hpp"
#include "proxy/name_budget.hpp"
#include "proxy/resolver.hpp"

#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace sallyport::proxy {

/// Of refusals, as in docs/policy_reference.md.
inline constexpr std::string_view kNameRefused = "name_refused";

class NameGuard {
 public:
  /// All outlive the guard.
  NameGuard(policies::Engine const& engine, DlpInspection& inspection, NameBudget& budget, AuditPort& audit)
      : engine_(engine), inspection_(inspection), budget_(budget), audit_(audit) {}

  /// Error, for people: why this name goes no further. Every finding is a dlp.finding record with the place `dns`; the
  /// first name beyond a budget is a limit.hit record. `rule`: the name of the rule that allows it. REQUIRES: the policy
  /// allows the name.
  Result<void> check(policies::CanonicalHost const& name, std::string_view rule) { return check(name, rule, name.str()); }
  /// The same for a name that was spelled in another way: capitals can be part of a secret.
  Result<void> check(policies::CanonicalHost const& name, std::string_view rule, std::string_view spelled);

 private:
  Result<void> search(policies::CanonicalHost const& name, std::string_view spelled, policies::DlpAction wanted);
  Result<void> count(policies::CanonicalHost const& name);
  void record(policies::CanonicalHost const& name, dlp::Finding const& finding, dlp::Action action);

  policies::Engine const& engine_;
  DlpInspection& inspection_;
  NameBudget& budget_;
  AuditPort& audit_;
  std::set<std::string, std::less<>> exhausted_;  // registered domains whose limit.hit is recorded
};

/// Asks the guard first: no name of any leg reaches a name server before, ours or the upstream proxy's. All outlive it.
class GuardedResolver final : public Resolver {
 public:
  GuardedResolver(Resolver& inner, NameGuard& guard, policies::Engine const& engine) : inner_(inner), guard_(guard), engine_(engine) {}
  /// Code::denied when the guard refuses.
  awaitable<Result<std::vector<policies::IpAddress>>> resolve(policies::AllowedTarget target) override;

 private:
  Resolver& inner_;
  NameGuard& guard_;
  policies::Engine const& engine_;
};

}  // namespace sallyport::proxy
