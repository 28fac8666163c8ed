#pragma once
// The product's resolver: the hosts file first, as the system does, then DNS, whose answers are kept for their time.

#include "proxy/dns_cache.hpp"
#include "proxy/hosts_file.hpp"
#include "proxy/resolver.hpp"

namespace sallyport::proxy {

/// Thread: its worker's. Lifetime: outlives every resolve(); `dns` outlives it.
class DnsResolver final : public Resolver {
 public:
  DnsResolver(HostsFile hosts, DnsCache& dns) : hosts_(std::move(hosts)), dns_(dns) {}
  awaitable<Result<std::vector<policies::IpAddress>>> resolve(policies::AllowedTarget target) override { return find(target.host()); }
  /// The same for a host that the operator named.
  awaitable<Result<std::vector<policies::IpAddress>>> find(policies::CanonicalHost host);

 private:
  HostsFile hosts_;
  DnsCache& dns_;
};

}  // namespace sallyport::proxy
