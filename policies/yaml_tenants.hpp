#pragma once
// The tenants of `sallyport proxy --tenants FILE`: who they are, by listener or by address, and which policies judge them. Any thread.
// Does not read the policies they name, and opens no listener. docs/gateway.md describes the file.

#include "base/result.hpp"
#include "policies/address_class.hpp"
#include "policies/problem.hpp"

#include <string>
#include <vector>

namespace sallyport::policies {

struct TenantEntry {
  std::string name;
  std::vector<std::string> policies;    // presets and files, as --policy takes them; a file that is not absolute lies beside the tenants file
  std::vector<std::string> allow;       // as --allow takes it
  std::vector<Cidr> clients;            // whose connections are this tenant's, on listeners that are nobody's own
  std::vector<std::string> listen;      // places as --listen takes them: whoever connects there is this tenant
  std::vector<std::string> listen_tls;  // likewise, as --listen-tls
  Place place;
};

/// All tenants of the file. An error holds one line for each problem, with file:line:column: a tenant without a name, a policy, or a
/// way to be known; a name or an address block that two have.
Result<std::vector<TenantEntry>> read_tenants(std::string const& path);

}  // namespace sallyport::policies
