#include "proxy/dlp_setup.hpp"

#include "dlp/rule_set.hpp"
#include "policies/problem.hpp"

#include <algorithm>
#include <utility>

namespace sallyport::proxy {

DlpSetup::DlpSetup(policies::DlpPolicy const& policy, DlpOptions options, dlp::Repeats repeats)
    : setup_{nullptr, std::move(options.known), std::move(options.salt), repeats} {
  replace(policy);
}

void DlpSetup::replace(policies::DlpPolicy const& policy) {
  disabled_.clear();
  for (auto const& detector : policy.disabled) disabled_.push_back(detector.id);
  setup_.rules.reset();
}

dlp::Scanner::Setup const& DlpSetup::get() {
  if (!setup_.rules) setup_.rules = dlp::RuleSet::build({.disabled = disabled_, .imported = {}}).value();
  return setup_;
}

bool DlpSetup::holds_forbidden() const {
  return setup_.known && (setup_.known->holds(dlp::KnownKind::credential) || setup_.known->holds(dlp::KnownKind::canary));
}

Result<void> check_detectors(policies::DlpPolicy const& policy) {
  auto const detectors = dlp::builtin_detectors();
  auto const check_id = [&](std::string const& id, policies::Place const& place) -> Result<void> {
    bool const known = id == "known-value" ||
                       std::any_of(detectors.begin(), detectors.end(), [&](auto const& each) { return each.id == id; });
    if (known) return {};
    auto const what = "no detector is called '" + id + "'; sallyport dlp detectors lists them";
    return Error{Code::invalid, 0, to_string(policies::Problem{place, what})};
  };
  for (auto const& each : policy.disabled) {
    if (auto checked = check_id(each.id, each.place); !checked) return checked;
  }
  for (auto const& each : policy.allow) {
    if (auto checked = check_id(each.detector, each.place); !checked) return checked;
  }
  return {};
}

}  // namespace sallyport::proxy
