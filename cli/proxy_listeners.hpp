#pragma once
// The listening sockets of `proxy`: those the command line names and those a service manager opened. One thread.

#include "cli/proxy_options.hpp"
#include "cli/service_manager.hpp"
#include "policies/yaml_tenants.hpp"
#include "proxy/listeners.hpp"

#include <string>
#include <vector>

namespace sallyport::cli {

/// Files of Unix listeners that were made here; removed when this goes.
class SocketFiles {
 public:
  SocketFiles() = default;
  SocketFiles(SocketFiles const&) = delete;
  SocketFiles& operator=(SocketFiles const&) = delete;
  ~SocketFiles();
  void add(std::string path) { paths_.push_back(std::move(path)); }

 private:
  std::vector<std::string> paths_;
};

/// An inherited socket is for explicit clients unless it is named "tls" or "metrics"; one named as a tenant, or NAME.tls, is that tenant's
/// own. Without any listener, and where strangers could connect and neither --allow-clients nor the tenants say which may, an error. Who may
/// connect is checked again for every connection.
Result<proxy::ListenerFds> open_listeners(ProxyOptions const& options, std::vector<policies::TenantEntry> const& tenants,
                                          std::vector<InheritedSocket> inherited, SocketFiles& files);

}  // namespace sallyport::cli
