#include "proxy/tenant.hpp"

#include "base/limits.hpp"
#include "base/wipe.hpp"
#include "proxy/memory_file.hpp"
#include "proxy/policy_file.hpp"

#include <utility>

namespace sallyport::proxy {

Result<TenantOptions> copy_of(TenantOptions const& options) {
  auto credentials = copy_of(options.credentials);
  if (!credentials) return credentials.error();
  return TenantOptions{options.name, options.policy, options.dlp, *std::move(credentials), options.clients, options.memory};
}

Tenant::Tenant(TenantOptions options, TenantShared shared)
    : shared_(shared),
      name_(std::move(options.name)),
      clients_(std::move(options.clients)),
      memory_(std::move(options.memory)),
      engine_(std::move(options.policy), shared.pins, shared.route),
      inspection_(engine_.policy().dlp, std::move(options.dlp), memory_->trails, shared.audit),
      timed_inspection_(inspection_, shared.metrics),
      broker_(std::move(options.credentials)),
      guard_(engine_, inspection_, memory_->names, shared.audit),
      resolver_(shared.dns, guard_, engine_),
      hop_(engine_, shared.dns, shared.dialer, shared.tls.upstream, shared.streams) {}

SessionDeps Tenant::session_deps() {
  return {engine_,     resolver_,         shared_.dialer, hop_,  shared_.audit,   shared_.names, shared_.tls,
          timed_inspection_, broker_, live_, shared_.streams, memory_->budget, shared_.pipes, shared_.timeouts};
}

audit::channel::PolicyAnswer Tenant::take_policy(UniqueFd const& bundle) {
  auto policy = read_policy_file(bundle);
  if (!policy) return {{}, 0, policy.error().what};
  engine_.replace(*policy);
  inspection_.replace((*policy)->dlp);
  shared_.metrics.policy_taken();
  return {(*policy)->digest, live_.recheck(engine_), {}};
}

void Tenant::take_credential(std::string const& name, UniqueFd const& file) {
  auto value = read_memory_file(file, limits::kMaxCredentialBytes);
  if (!value || value->empty()) return;
  dlp::KnownValue known{name, *value, dlp::KnownKind::credential};
  inspection_.learn(known);
  wipe(known.value);
  auto page = SecretPage::holding({reinterpret_cast<unsigned char const*>(value->data()), value->size()});
  wipe(*value);
  if (page) broker_.replace(name, *std::move(page));
}

}  // namespace sallyport::proxy
