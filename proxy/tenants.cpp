#include "proxy/tenants.hpp"

#include <utility>

namespace sallyport::proxy {

Tenants::Tenants(std::vector<TenantOptions> options, TenantShared shared) : audit_(shared.audit) {
  for (auto& each : options) tenants_.emplace_back(std::move(each), shared);
}

Tenant* Tenants::find(std::string_view name) {
  for (auto& tenant : tenants_) {
    if (tenant.name() == name) return &tenant;
  }
  return nullptr;
}

Tenant* Tenants::of(Tenant* own, std::optional<policies::IpAddress> const& address) {
  auto* const client_of = address ? by_address(*address) : nullptr;
  if (own == nullptr) return client_of != nullptr ? client_of : &first();
  bool const elsewhere = client_of != nullptr && client_of != own;
  bool const not_listed = address && client_of == nullptr && !own->clients().empty();
  return elsewhere || not_listed ? nullptr : own;
}

Tenant* Tenants::by_address(policies::IpAddress const& address) {
  Tenant* found = nullptr;
  int narrowest = -1;
  for (auto& tenant : tenants_) {
    for (auto const& block : tenant.clients()) {
      if (block.prefix_bits() <= narrowest || !block.contains(address)) continue;
      found = &tenant;
      narrowest = block.prefix_bits();
    }
  }
  return found;
}

}  // namespace sallyport::proxy
