#include "cli/proxy_tenants.hpp"

#include "cli/policy_sources.hpp"
#include "cli/secret_scrub.hpp"
#include "cli/session_dlp.hpp"
#include "jail/environment.hpp"

#include <unistd.h>

#include <map>
#include <utility>

namespace sallyport::cli {
namespace {

Result<ProxyTenant> load_tenant(std::string name, policies::PolicySources sources, std::vector<policies::Cidr> clients, Placeholders const& placeholders,
                                Clock const& clock) {
  auto loaded = policies::load_policy_for_sharing(sources);
  if (!loaded) return loaded.error();
  auto environment = jail::read_environment(environ);
  auto held = read_held(*loaded->policy, placeholders, "proxy", environment, environ, clock);
  if (!held) return held.error();
  auto dlp = prepare_dlp(*loaded->policy, environment, {}, held->values);
  if (!dlp) return dlp.error();
  return ProxyTenant{std::move(name), std::move(sources), *std::move(loaded), *std::move(dlp), std::move(clients), *std::move(held)};
}

/// Without --policy nobody who is no tenant gets what the operator's own policy file allows.
std::vector<std::string> policies_of_others(ProxyOptions const& options) {
  bool const nothing = !options.tenants.empty() && options.policies.empty();
  return nothing ? std::vector<std::string>{"none"} : options.policies;
}

}  // namespace

Result<std::vector<policies::TenantEntry>> read_tenant_entries(ProxyOptions const& options) {
  if (options.tenants.empty()) return std::vector<policies::TenantEntry>();
  return policies::read_tenants(options.tenants);
}

Result<std::vector<ProxyTenant>> load_proxy_tenants(ProxyOptions const& options, std::vector<policies::TenantEntry> const& entries,
                                                    Console const& console, Clock const& clock) {
  std::vector<ProxyTenant> tenants;
  auto others = load_tenant({}, policy_sources(console, policies_of_others(options), options.allow), {}, options.placeholders, clock);
  if (!others) return others.error();
  tenants.push_back(*std::move(others));
  for (auto const& entry : entries) {
    auto tenant = load_tenant(entry.name, policy_sources(console, entry.policies, entry.allow), entry.clients, {}, clock);
    if (!tenant) return Error{tenant.error().code, 0, "tenant " + entry.name + ": " + tenant.error().what};
    tenants.push_back(*std::move(tenant));
  }
  return tenants;
}

std::vector<proxy::TenantOptions> tenant_options(std::vector<ProxyTenant> const& tenants) {
  std::vector<proxy::TenantOptions> all;
  for (std::size_t i = 1; i < tenants.size(); ++i)
    all.push_back({tenants[i].name, tenants[i].loaded.policy, tenants[i].dlp, {}, tenants[i].clients});
  return all;
}

LearningScrub tenants_scrub(std::vector<ProxyTenant> const& tenants) {
  auto others = learning_scrub(tenants.front().loaded.policy->dlp, tenants.front().dlp);
  std::map<std::string, audit::Scrub, std::less<>> scrubs{{std::string(), std::move(others.scrub)}};
  for (auto const& tenant : tenants)
    if (!tenant.name.empty()) scrubs.emplace(tenant.name, secret_scrub(tenant.loaded.policy->dlp, tenant.dlp));
  auto scrub = [scrubs = std::move(scrubs)](audit::Event& event) {
    auto const* request = std::get_if<audit::EgressRequest>(&event);
    auto const found = scrubs.find(request != nullptr ? std::string_view(request->tenant) : std::string_view());
    if (found != scrubs.end()) found->second(event);
  };
  return {std::move(scrub), std::move(others.learn)};
}

}  // namespace sallyport::cli
