#pragma once
// Whose a connection is. A listener may be one tenant's own; on the others the client's address decides, and who is no tenant's client is
// served as the first tenant. Thread: its worker's. No I/O.

#include "policies/address_class.hpp"
#include "proxy/tenant.hpp"

#include <deque>
#include <optional>
#include <string_view>
#include <vector>

namespace sallyport::proxy {

class Tenants {
 public:
  /// REQUIRES: at least one, the first without a name; no two have the same name or block of clients.
  Tenants(std::vector<TenantOptions> options, TenantShared shared);

  AuditPort& audit() { return audit_; }
  Tenant& first() { return tenants_.front(); }
  /// Null: there is none of this name.
  Tenant* find(std::string_view name);

  /// The tenant of a connection from `address` (absent: a Unix socket) to a listener of `own` (null: nobody's own). Null: it may not be
  /// there, because it is another tenant's client, or because its own listener is for certain clients only.
  Tenant* of(Tenant* own, std::optional<policies::IpAddress> const& address);

 private:
  /// Whose client has this address: the narrowest block counts. Null: nobody's.
  Tenant* by_address(policies::IpAddress const& address);

  AuditPort& audit_;
  std::deque<Tenant> tenants_;  // they stay where they are
};

}  // namespace sallyport::proxy
