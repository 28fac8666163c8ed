#include "cli/policy_sources.hpp"

#include <cstdlib>
#include <filesystem>
#include <string_view>
#include <utility>

namespace sallyport::cli {

namespace {

/// Empty if not set.
std::string variable(char const* name) {
  char const* value = std::getenv(name);
  return value != nullptr ? value : "";
}

std::string default_policy(std::string const& home) {
  auto named = variable("SALLYPORT_POLICY");
  if (!named.empty()) return named;
  auto const file = home + "/.config/sallyport/policy.yaml";
  std::error_code ec;
  bool const is_there = home.starts_with('/') && std::filesystem::exists(file, ec);
  return is_there ? file : "none";
}

}  // namespace

policies::PolicySources policy_sources(Console const& console, std::vector<std::string> policies,
                                       std::vector<std::string> allow) {
  auto const home = variable("HOME");
  if (policies.empty()) policies.push_back(default_policy(home));
  return {console.preset_dir, home.starts_with('/') ? home : "", std::move(policies), std::move(allow)};
}

}  // namespace sallyport::cli
