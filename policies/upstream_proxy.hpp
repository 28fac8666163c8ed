#pragma once
// The proxy that the operator's own network wants passed on the way out (`--upstream-proxy`), and the hosts that are reached without it.
// Never a policy key. Values; any thread.

#include "base/result.hpp"
#include "policies/canonical_host.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace sallyport::policies {

enum class UpstreamProxyKind { http, https, socks5 };

struct UpstreamProxy {
  UpstreamProxyKind kind = UpstreamProxyKind::http;
  CanonicalHost host;
  std::uint16_t port = 0;
  std::string user;      // empty: no credentials
  std::string password;
  /// It gets names and looks them up itself: then no address guard can be applied. Otherwise it gets addresses that were admitted.
  bool looks_up_names = true;
};

/// "http://[USER:PASSWORD@]HOST:PORT", likewise https, socks5h, and socks5, of which only the last looks names up on this side: what curl
/// means by them. The errors never hold the credentials.
Result<UpstreamProxy> parse_upstream_proxy(std::string_view url);
/// As in records and messages: without the credentials.
std::string to_string(UpstreamProxy const& proxy);

/// Hosts that are reached without the upstream proxy.
class DirectHosts {
 public:
  /// Comma-separated: a name stands for itself and what is below it ("example.com" and ".example.com" alike), "*" for every host,
  /// an address or a CIDR block for the addresses in it. Errors name the item.
  static Result<DirectHosts> parse(std::string_view list);
  bool contain(CanonicalHost const& host) const;

 private:
  bool every_ = false;
  std::vector<std::string> names_;
  std::vector<Cidr> blocks_;
};

struct UpstreamRoute {
  UpstreamProxy proxy;
  DirectHosts direct;
};

}  // namespace sallyport::policies
