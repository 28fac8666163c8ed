#include "proxy/name_guard.hpp"

#include "dlp/verdict.hpp"
#include "policies/public_suffix.hpp"
#include "proxy/dlp_judge.hpp"

#include <algorithm>
#include <utility>

namespace sallyport::proxy {
namespace {

policies::DlpAction wanted_by(policies::Policy const& policy, std::string_view rule) {
  auto const found =
      std::find_if(policy.rules.begin(), policy.rules.end(), [&](auto const& each) { return each->name == rule; });
  return found == policy.rules.end() ? policy.dlp.action : (*found)->dlp.value_or(policy.dlp.action);
}

Error refused(std::string why) { return Error{Code::denied, 0, std::move(why)}; }

}  // namespace

Result<void> NameGuard::check(policies::CanonicalHost const& name, std::string_view rule, std::string_view spelled) {
  if (name.is_address() || engine_.names(name)) return {};
  if (auto searched = search(name, spelled, wanted_by(engine_.policy(), rule)); !searched) return searched;
  return count(name);
}

Result<void> NameGuard::search(policies::CanonicalHost const& name, std::string_view spelled, policies::DlpAction wanted) {
  auto refusal = Result<void>();
  for (auto const& [finding, action] : inspection_.search_name(name, spelled, wanted)) {
    record(name, finding, action);
    if (action == dlp::Action::alert || !refusal) continue;
    refusal =
        refused("This name holds a secret (" + finding.detector +
                "), and a name tells it to whoever answers for the domain. Do not retry: ask for the name without it.");
  }
  return refusal;
}

Result<void> NameGuard::count(policies::CanonicalHost const& name) {
  auto const answer = budget_.count(name);
  if (answer == NameBudget::Answer::within) return {};
  auto const base = std::string(policies::registered_part(name.str()));
  auto const* const what = answer == NameBudget::Answer::too_many_names ? "different names" : "bytes of random names";
  auto const why = "this session has asked for too many " + std::string(what) + " below " + base;
  if (exhausted_.insert(base).second) audit_.post(audit::LimitHit{"names_below_domain", why});
  return refused("Refused because " + why +
                 ". Do not retry. A name that a rule says in full is not counted: the user can add it to `hosts`.");
}

void NameGuard::record(policies::CanonicalHost const& name, dlp::Finding const& finding, dlp::Action action) {
  auto record = record_of(finding, action, "dns");
  record.host = policies::registered_part(name.str());
  audit_.post(std::move(record));
}

awaitable<Result<std::vector<policies::IpAddress>>> GuardedResolver::resolve(policies::AllowedTarget target) {
  auto checked = guard_.check(target.host(), target.rule().name);
  if (!checked) co_return checked.error();
  if (engine_.unresolved(target)) co_return std::vector<policies::IpAddress>{};
  co_return co_await inner_.resolve(std::move(target));
}

}  // namespace sallyport::proxy
