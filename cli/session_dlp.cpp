#include "cli/session_dlp.hpp"

#include "audit/places.hpp"
#include "base/wipe.hpp"
#include "cli/dlp_salt.hpp"
#include "cli/known_secrets.hpp"

#include <algorithm>

namespace sallyport::cli {
namespace {

Result<std::string> salt_of_user() {
  auto const places = audit::default_places();
  if (!places) return places.error();
  return load_or_create_salt(places->key_dir);
}

bool wants(policies::DlpPolicy const& policy, policies::KnownSource source) {
  return std::find(policy.known_values.begin(), policy.known_values.end(), source) != policy.known_values.end();
}

/// A credential is known as such, and not as a value of the caller's environment, too.
void add_credentials(std::vector<dlp::KnownValue>& values, std::vector<proxy::BrokeredCredential> const& credentials) {
  for (auto const& credential : credentials) {
    std::string value(credential.value.bytes().begin(), credential.value.bytes().end());
    std::erase_if(values, [&](dlp::KnownValue const& known) { return known.value == value; });
    values.push_back({credential.name, value, dlp::KnownKind::credential});
    values.push_back({credential.name, credential.placeholder, dlp::KnownKind::credential});
    wipe(value);
  }
}

}  // namespace

Result<proxy::DlpOptions> prepare_dlp(policies::Policy const& policy, std::map<std::string, std::string> const& environment,
                                      std::string const& workspace,
                                      std::vector<proxy::BrokeredCredential> const& credentials,
                                      std::vector<dlp::KnownValue> const& canaries) {
  if (auto checked = proxy::check_detectors(policy.dlp); !checked) return checked.error();
  auto salt = salt_of_user();
  if (!salt) return salt.error();
  std::vector<dlp::KnownValue> values;
  if (wants(policy.dlp, policies::KnownSource::env)) values = known_in_environment(environment);
  for (auto& value : values) {
    auto const& pass = policy.environment.pass;
    if (std::find(pass.begin(), pass.end(), value.name) != pass.end()) value.kind = dlp::KnownKind::passed;
  }
  if (wants(policy.dlp, policies::KnownSource::dotenv) && !workspace.empty()) {
    for (auto& value : known_in_dotenv(workspace)) values.push_back(std::move(value));
  }
  add_credentials(values, credentials);
  values.insert(values.end(), canaries.begin(), canaries.end());
  proxy::DlpOptions options{nullptr, *std::move(salt)};
  if (!values.empty()) options.known = std::make_shared<dlp::KnownValues const>(values, options.salt);
  for (auto& known : values) wipe(known.value);
  return options;
}

}  // namespace sallyport::cli
