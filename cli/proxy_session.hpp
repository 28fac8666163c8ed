#pragma once
// The gateway alone, for clients that are pointed at it: no jail, so no process behind a request is known.

#include "cli/command.hpp"
#include "policies/pin.hpp"

#include <string>
#include <vector>

namespace sallyport::cli {

struct ProxyOptions {
  std::vector<std::string> policies;
  std::vector<std::string> allow;
  std::vector<policies::Pin> pins;
  std::vector<std::string> ca_bundles;  // PEM files of authorities to trust besides the system's
  std::string ca_out;                   // where the session's own certificate goes, for the clients
  std::vector<std::string> listen;  // ADDRESS:PORT
  std::string audit;
};

/// Serves until SIGTERM or SIGINT, then ends all connections and the audit log. Returns the exit status: 0, or 125.
int run_proxy_session(ProxyOptions const& options, Console const& console);

}  // namespace sallyport::cli
