#include "proxy/dlp_setup.hpp"

#include "dlp/gitleaks_import.hpp"
#include "dlp/rule_set.hpp"
#include "policies/nearest.hpp"

#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sallyport::proxy {

namespace {

std::vector<std::string> ids_of(std::vector<policies::DetectorName> const& names) {
  std::vector<std::string> ids;
  for (auto const& name : names) ids.push_back(name.id);
  return ids;
}

std::vector<dlp::ImportedDetectors> import_all(std::vector<policies::DetectorImport> const& imports) {
  std::vector<dlp::ImportedDetectors> all;
  for (auto const& each : imports) all.push_back(dlp::import_gitleaks(each.text, each.path).value());
  return all;
}

}  // namespace

DlpSetup::DlpSetup(policies::DlpPolicy const& policy, DlpOptions options, dlp::Repeats repeats)
    : setup_{nullptr, std::move(options.known), std::move(options.salt), repeats} {
  replace(policy);
}

void DlpSetup::replace(policies::DlpPolicy const& policy) {
  disabled_ = ids_of(policy.disabled);
  imports_ = policy.imports;
  setup_.rules.reset();
}

dlp::Scanner::Setup const& DlpSetup::get() {
  if (!setup_.rules) setup_.rules = dlp::RuleSet::build({.disabled = disabled_, .imported = import_all(imports_)}).value();
  return setup_;
}

void DlpSetup::learn(dlp::KnownValue const& value) {
  auto const known = setup_.known ? setup_.known->with(value) : dlp::KnownValues({value}, setup_.salt);
  setup_.known = std::make_shared<dlp::KnownValues const>(known);
}

bool DlpSetup::holds_forbidden() const {
  return setup_.known && (setup_.known->holds(dlp::KnownKind::credential) || setup_.known->holds(dlp::KnownKind::canary));
}

policies::Problems detector_problems(policies::DlpPolicy const& policy) {
  policies::Problems problems;
  std::set<std::string, std::less<>> known{"known-value"};
  for (auto const& each : dlp::builtin_detectors()) known.emplace(each.id);
  std::vector<dlp::ImportedDetectors> imported;
  for (auto const& each : policy.imports) {
    auto detectors = dlp::import_gitleaks(each.text, each.path);
    if (!detectors) {
      problems.push_back({each.place, detectors.error().what});
      continue;
    }
    for (auto const& detector : detectors->detectors) known.emplace(detector.id);
    imported.push_back(*std::move(detectors));
  }
  auto const check_id = [&](std::string const& id, policies::Place const& place) {
    if (known.contains(id)) return;
    auto const close = policies::nearest(id, std::vector<std::string_view>(known.begin(), known.end()));
    auto const hint = close.empty() ? "" : "did you mean '" + close + "'? ";
    problems.push_back({place, "no detector is called '" + id + "'; " + hint + "sallyport dlp detectors lists them"});
  };
  for (auto const& each : policy.disabled) check_id(each.id, each.place);
  for (auto const& each : policy.allow) check_id(each.detector, each.place);
  if (!problems.empty() || imported.empty()) return problems;
  auto const built = dlp::RuleSet::build({.disabled = ids_of(policy.disabled), .imported = std::move(imported)});
  if (!built) problems.push_back({policy.imports.front().place, built.error().what});
  return problems;
}

Result<void> check_detectors(policies::DlpPolicy const& policy) {
  auto const problems = detector_problems(policy);
  if (problems.empty()) return {};
  return Error{Code::invalid, 0, to_string(problems.front())};
}

std::vector<std::string> import_notes(policies::DlpPolicy const& policy) {
  std::vector<std::string> notes;
  for (auto const& each : import_all(policy.imports)) notes.insert(notes.end(), each.not_imported.begin(), each.not_imported.end());
  return notes;
}

}  // namespace sallyport::proxy
