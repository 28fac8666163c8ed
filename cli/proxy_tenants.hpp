#pragma once
// Whom `proxy` serves: the tenants of --tenants, and, first and without a name, whoever is none of them. Reads policies and the
// environment; one thread.

#include "audit/file_sink.hpp"
#include "cli/command.hpp"
#include "cli/held_credentials.hpp"
#include "cli/proxy_options.hpp"
#include "policies/yaml_loader.hpp"
#include "policies/yaml_tenants.hpp"
#include "proxy/tenant.hpp"

#include <string>
#include <vector>

namespace sallyport::cli {

struct ProxyTenant {
  std::string name;
  policies::PolicySources sources;
  policies::LoadedPolicy loaded;
  proxy::DlpOptions dlp;
  std::vector<policies::Cidr> clients;
  HeldCredentials held;
};

/// The tenants of options.tenants; none without it.
Result<std::vector<policies::TenantEntry>> read_tenant_entries(ProxyOptions const& options);

/// The policies of all. With tenants and without --policy, everything is refused to whoever is none of them. An error for a policy that
/// does not load, or that only `run` can serve.
Result<std::vector<ProxyTenant>> load_proxy_tenants(ProxyOptions const& options, std::vector<policies::TenantEntry> const& entries,
                                                    Console const& console, Clock const& clock);

/// What the gateway needs of all but the first.
std::vector<proxy::TenantOptions> tenant_options(std::vector<ProxyTenant> const& tenants);

/// Keeps secrets out of the log, each tenant's by its own policy; it learns for whoever is none.
LearningScrub tenants_scrub(std::vector<ProxyTenant> const& tenants);

}  // namespace sallyport::cli
