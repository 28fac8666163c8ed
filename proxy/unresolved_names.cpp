#include "proxy/unresolved_names.hpp"

#include "policies/canonical_host.hpp"
#include "proxy/task_set.hpp"

#include <exception>
#include <set>

namespace sallyport::proxy {
namespace {

awaitable<void> look_up(CaresChannel& dns, std::string name, std::set<std::string>& missing) {
  auto const found = co_await dns.lookup(name);
  if (found) missing.erase(name);
}

bool stands_in(HostsFile const& hosts, std::string const& name) {
  auto const host = policies::CanonicalHost::from(name);
  return host && !hosts.find(*host).empty();
}

}  // namespace

Result<std::vector<std::string>> unresolved_names(std::vector<std::string> const& names, HostsFile const& hosts, std::chrono::milliseconds patience,
                                                  DnsServers const& servers) {
  asio::io_context io(1);
  auto dns = CaresChannel::make(io.get_executor(), servers);
  if (!dns) return dns.error();
  std::set<std::string> missing;
  TaskSet lookups(io.get_executor(), [](std::exception_ptr) {});  // its name stays missing
  for (auto const& name : names) {
    if (stands_in(hosts, name)) continue;
    missing.insert(name);
    lookups.start(look_up(**dns, name, missing));
  }
  auto const end = std::chrono::steady_clock::now() + patience;
  while (lookups.size() > 0 && io.run_one_until(end) > 0) continue;
  auto const left = missing;
  lookups.cancel_all();
  io.restart();
  while (lookups.size() > 0 && io.run_one() > 0) continue;
  std::vector<std::string> in_order;
  for (auto const& name : names) {
    if (left.contains(name)) in_order.push_back(name);
  }
  return in_order;
}

}  // namespace sallyport::proxy
