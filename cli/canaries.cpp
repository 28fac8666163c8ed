#include "cli/canaries.hpp"

#include "cli/credentials.hpp"

#include <algorithm>
#include <array>
#include <string_view>

namespace sallyport::cli {
namespace {

struct Variable {
  char const* name;
  std::string_view shape;
};
constexpr std::array<Variable, 2> kVariables = {
    {{"DEPLOY_API_TOKEN", "dpl-aA0bB1cC2dD3eE4fF5gG6hH7iI8jJ9kK0lL"}, {"BACKUP_DB_PASSWORD", "a0Bc1De2Fg3Hi4Jk5Lm6No7P"}}};
constexpr std::string_view kKeyId = "AKIAABCDEFGHIJKLMNOP";
constexpr std::string_view kSecretKey = "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";

bool wants(policies::Policy const& policy, policies::CanaryPlace place) {
  auto const& places = policy.dlp.canaries;
  return std::find(places.begin(), places.end(), place) != places.end();
}

bool is_taken(policies::Environment const& environment, std::string const& name) {
  auto const& passed = environment.pass;
  return environment.set.contains(name) || std::find(passed.begin(), passed.end(), name) != passed.end();
}

/// A value of this shape, which is known from here on as the canary `name`.
Result<std::string> plant(std::string_view shape, std::string name, std::vector<dlp::KnownValue>& known) {
  auto value = make_placeholder(shape);
  if (value) known.push_back({std::move(name), *value, dlp::KnownKind::canary});
  return value;
}

Result<void> plant_variables(policies::Environment const& environment, Canaries& canaries) {
  for (auto const& [name, shape] : kVariables) {
    if (is_taken(environment, name)) continue;
    auto value = plant(shape, name, canaries.values);
    if (!value) return value.error();
    canaries.environment[name] = *std::move(value);
  }
  return {};
}

/// A profile that nothing uses unless it is told to, and a host that is none.
Result<void> plant_files(Canaries& canaries) {
  auto const id = plant(kKeyId, "~/.aws/credentials", canaries.values);
  auto const key = plant(kSecretKey, "~/.aws/credentials", canaries.values);
  auto const token = plant(kVariables[0].shape, "~/.git-credentials", canaries.values);
  if (!id || !key || !token) return Error{Code::os, 0, "no random bytes for canaries"};
  canaries.files[".aws/credentials"] = "[backup]\naws_access_key_id = " + *id + "\naws_secret_access_key = " + *key + "\n";
  canaries.files[".git-credentials"] = "https://deploy:" + *token + "@git.internal\n";
  return {};
}

}  // namespace

Result<Canaries> make_canaries(policies::Policy const& policy) {
  Canaries canaries;
  if (wants(policy, policies::CanaryPlace::env)) {
    if (auto planted = plant_variables(policy.environment, canaries); !planted) return planted.error();
  }
  if (wants(policy, policies::CanaryPlace::files)) {
    if (auto planted = plant_files(canaries); !planted) return planted.error();
  }
  return canaries;
}

}  // namespace sallyport::cli
