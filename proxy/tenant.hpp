#pragma once
// One party that the gateway serves, with its own policy, budgets, known secrets and credentials. `run`, `attach` and `guard` serve one,
// the session; `proxy` may serve several, and no tenant sees or uses up what is another's. It is no boundary against a gateway that was
// taken over: tenants share the process. Each worker has its own of
// them, and the workers' keep one memory. Thread: its worker's.

#include "audit/channel.hpp"
#include "base/unique_fd.hpp"
#include "policies/engine.hpp"
#include "policies/pin.hpp"
#include "proxy/client.hpp"
#include "proxy/dlp_inspection.hpp"
#include "proxy/metrics.hpp"
#include "proxy/name_guard.hpp"
#include "proxy/tenant_memory.hpp"
#include "proxy/timed_inspection.hpp"

#include <memory>
#include <string>
#include <vector>

namespace sallyport::proxy {

struct TenantOptions {
  std::string name;  // empty: the session, or whoever is no other tenant
  std::shared_ptr<policies::Policy const> policy;
  DlpOptions dlp = {};
  std::vector<BrokeredCredential> credentials = {};
  std::vector<policies::Cidr> clients = {};  // whose connections are this tenant's, on listeners that are nobody's own
  std::shared_ptr<TenantMemory> memory = std::make_shared<TenantMemory>();
};

/// The same tenant, for one worker more.
Result<TenantOptions> copy_of(TenantOptions const& options);

/// What all tenants of a worker use. All outlive them.
struct TenantShared {
  std::vector<policies::Pin> const& pins;
  std::shared_ptr<policies::UpstreamRoute const> const& route;
  AuditPort& audit;
  Metrics& metrics;
  DnsResolver& dns;
  Dialer const& dialer;
  SyntheticNames const& names;
  Tls& tls;
  TaskSet& streams;
  SplicePipes& pipes;
  Timeouts const& timeouts;
};

class Tenant {
 public:
  Tenant(TenantOptions options, TenantShared shared);
  Tenant(Tenant const&) = delete;
  Tenant& operator=(Tenant const&) = delete;

  std::string const& name() const { return name_; }
  std::vector<policies::Cidr> const& clients() const { return clients_; }
  policies::Engine const& engine() const { return engine_; }
  NameGuard& guard() { return guard_; }
  SessionDeps session_deps();

  /// All or nothing. What is under way and not allowed any more ends before this thread waits again.
  audit::channel::PolicyAnswer take_policy(UniqueFd const& bundle);
  /// One that cannot be read leaves the value as it was.
  void take_credential(std::string const& name, UniqueFd const& file);

 private:
  TenantShared shared_;
  std::string name_;
  std::vector<policies::Cidr> clients_;
  std::shared_ptr<TenantMemory> memory_;
  policies::Engine engine_;
  DlpInspection inspection_;
  TimedInspection timed_inspection_;
  Broker broker_;
  LiveRequests live_;
  NameGuard guard_;
  GuardedResolver resolver_;
  UpstreamHop hop_;
};

}  // namespace sallyport::proxy
