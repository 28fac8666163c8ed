#include "cli/policy_reloader.hpp"

#include "cli/held_credentials.hpp"
#include "cli/sealed_file.hpp"
#include "policies/rule_checks.hpp"
#include "proxy/dlp_inspection.hpp"

#include <utility>

namespace sallyport::cli {
namespace {

std::string_view word_of(ReloadTrigger trigger) { return trigger == ReloadTrigger::signal ? "signal" : "file"; }

constexpr std::string_view kNoAuthority =
    "the new policy looks into TLS, and this session has no certificate authority for that: start it anew, or with "
    "--ca-out from the start";

/// Whether a session that runs can take the policy on.
Result<void> check_fits(policies::Policy const& policy, Authority authority, std::vector<policies::Credential> const& held) {
  if (policies::opens_tls(policy) && authority == Authority::none) return Error{Code::unsupported, 0, std::string(kNoAuthority)};
  if (auto detectors = proxy::check_detectors(policy.dlp); !detectors) return detectors;
  return check_still_held(policy, held, "proxy");
}

std::string line_of(audit::PolicyReload const& record) {
  auto const of_tenant = record.tenant.empty() ? std::string() : " of tenant " + record.tenant;
  if (record.outcome == "rejected") return "policy" + of_tenant + " not reloaded, the one before stays in force:\n" + record.detail;
  if (record.outcome == "unchanged") return "policy" + of_tenant + " not reloaded: nothing in it has changed";
  return "policy " + record.policy + of_tenant + " reloaded, " + std::to_string(record.closed) + " connections ended by it";
}

}  // namespace

audit::PolicyReload PolicyReloader::new_record(ReloadTrigger trigger) const {
  audit::PolicyReload record;
  record.trigger = word_of(trigger);
  record.tenant = parts_.tenant;
  return record;
}

audit::PolicyReload PolicyReloader::record_of(policies::Policy const& policy, ReloadTrigger trigger) const {
  auto record = new_record(trigger);
  record.policy = policy.name;
  record.policy_digest = policy.digest;
  record.layers = policy.layers;
  return record;
}

Result<void> PolicyReloader::reload(ReloadTrigger trigger) {
  if (!parts_.link.policy_pending()) return attempt(trigger);
  next_ = trigger;
  return {};
}

Result<void> PolicyReloader::go_on() {
  if (!next_ || parts_.link.policy_pending()) return {};
  return attempt(*std::exchange(next_, std::nullopt));
}

Result<void> PolicyReloader::attempt(ReloadTrigger trigger) {
  auto loaded = policies::load_policy_for_sharing(sources_);
  if (loaded) {
    if (auto fits = check_fits(*loaded->policy, authority_, parts_.held); !fits) loaded = fits.error();
  }
  if (!loaded) {
    bool const known = trigger == ReloadTrigger::file && loaded.error().what == rejected_;
    rejected_ = loaded.error().what;
    auto record = new_record(trigger);
    record.outcome = "rejected";
    record.detail = rejected_;
    return known ? Result<void>() : write(std::move(record));
  }
  rejected_.clear();
  parts_.watch(loaded->files);
  if (loaded->policy->digest != digest_) return hand_over(*loaded, trigger);
  if (trigger == ReloadTrigger::file) return {};
  auto record = record_of(*loaded->policy, trigger);
  record.outcome = "unchanged";
  return write(std::move(record));
}

Result<void> PolicyReloader::hand_over(policies::LoadedPolicy const& loaded, ReloadTrigger trigger) {
  auto const file = sealed_file("sallyport-policy", loaded.bundle);
  if (!file) return file.error();
  auto record = record_of(*loaded.policy, trigger);
  return parts_.link.send_policy(
      parts_.tenant, *file, [this, record](audit::channel::PolicyAnswer const& answer) { return answered(record, answer); });
}

audit::PolicyReload PolicyReloader::answered(audit::PolicyReload record, audit::channel::PolicyAnswer const& answer) {
  bool const taken = answer.digest == record.policy_digest;
  record.outcome = taken ? "applied" : "rejected";
  record.closed = answer.closed;
  if (!taken) record.detail = "the gateway did not take it: " + answer.error;
  if (taken) digest_ = record.policy_digest;
  parts_.tell(line_of(record));
  return record;
}

Result<void> PolicyReloader::write(audit::PolicyReload record) {
  parts_.tell(line_of(record));
  if (auto seq = parts_.sink.append(record); !seq) return seq.error();
  return parts_.sink.commit();
}

}  // namespace sallyport::cli
