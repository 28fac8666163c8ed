#pragma once
// What tenants share, for tests that have no gateway around them. One thread.

#include "proxy/tenant.hpp"
#include "proxy/tls.hpp"
#include "tests/proxy/fake_audit.hpp"

#include <memory>
#include <string_view>
#include <vector>

namespace sallyport::tests {

struct TenantParts {
  /// `hosts`: lines of a hosts file, the names that can be looked up.
  explicit TenantParts(std::string_view hosts = {}, Writing writing = Writing::at_once) : audit(io, writing), resolver(proxy::HostsFile::parse(hosts), dns_cache) {}

  asio::io_context io{1};
  FakeAudit audit;
  std::vector<policies::Pin> const pins;
  std::shared_ptr<policies::UpstreamRoute const> const route;
  proxy::Metrics metrics;
  proxy::TaskSet streams{io.get_executor(), [](std::exception_ptr) {}};
  std::unique_ptr<proxy::CaresChannel> dns = proxy::CaresChannel::make(io.get_executor()).value();
  proxy::DnsCache dns_cache{*dns, streams, metrics};
  proxy::DnsResolver resolver;
  proxy::Dialer dialer;
  proxy::SyntheticNames names{{0xfd}};
  proxy::ClientTls client_tls{std::nullopt};
  proxy::Tls tls{client_tls, {}};
  proxy::SplicePipes pipes;
  proxy::Timeouts const timeouts;

  proxy::TenantShared shared() { return {pins, route, audit, metrics, resolver, dialer, names, tls, streams, pipes, timeouts}; }
};

}  // namespace sallyport::tests
