#include "proxy/dns_resolver.hpp"

#include "base/limits.hpp"

namespace sallyport::proxy {

awaitable<Result<std::vector<policies::IpAddress>>> DnsResolver::find(policies::CanonicalHost host) {
  if (host.is_address()) co_return std::vector{*host.address()};
  auto listed = hosts_.find(host);
  if (!listed.empty()) co_return listed;
  co_return co_await with_deadline(limits::kResolveTimeout, "resolve", dns_.find(host.str()));
}

}  // namespace sallyport::proxy
