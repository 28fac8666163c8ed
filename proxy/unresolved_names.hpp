#pragma once
// Names that do not resolve when a session starts. No reason not to start, because each request asks again, but what a person wants to hear.

#include "base/result.hpp"
#include "proxy/cares_channel.hpp"
#include "proxy/hosts_file.hpp"

#include <chrono>
#include <string>
#include <vector>

namespace sallyport::proxy {

/// Those of `names` without an address, in their order: the hosts file first, then DNS, all at once, on a loop of its own. Whoever has no
/// answer after `patience` counts. An error means that nobody could be asked.
Result<std::vector<std::string>> unresolved_names(std::vector<std::string> const& names, HostsFile const& hosts, std::chrono::milliseconds patience,
                                                  DnsServers const& servers = {});

}  // namespace sallyport::proxy
