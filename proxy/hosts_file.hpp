#pragma once
// The system's hosts file (hosts(5)), read once: the gateway opens no files later. Values; any thread after loading.

#include "policies/address_class.hpp"
#include "policies/canonical_host.hpp"

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace sallyport::proxy {

class HostsFile {
 public:
  /// Lines `address name…`, '#' begins a comment. Lines and names that are not canonical are skipped, as libc does.
  static HostsFile parse(std::string_view text);
  /// A file that is missing or unreadable is an empty one.
  static HostsFile load(std::string const& path);

  /// Addresses of `host` in file order; empty if it is not listed.
  std::vector<policies::IpAddress> find(policies::CanonicalHost const& host) const;

 private:
  std::map<std::string, std::vector<policies::IpAddress>, std::less<>> addresses_;
};

}  // namespace sallyport::proxy
