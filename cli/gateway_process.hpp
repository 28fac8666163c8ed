#pragma once
// Starts the gateway: a child process of the supervisor that holds the listening sockets and nothing else of ours.

#include "base/result.hpp"
#include "base/unique_fd.hpp"
#include "jail/plan.hpp"
#include "proxy/gateway.hpp"

#include <sys/types.h>
#include <cstddef>
#include <variant>
#include <vector>

namespace sallyport::cli {

struct GatewayProcess {
  pid_t pid;
  std::vector<UniqueFd> channels;  // the supervisor's ends, one of each worker
};

/// Where the gateway gets its listening sockets: over a socket from the jail (jail/launch), or from us.
using ListenerSource = std::variant<UniqueFd, proxy::ListenerFds>;

/// Forks. The child takes its listening sockets from `source`, becomes `identity` when root started us, and runs
/// proxy::run_gateway. It dies with this process. The key of options.ca is wiped here once the child has it. REQUIRES: one thread, no audit sink and no keys in memory yet.
/// `workers`: how many threads serve; at least one.
Result<GatewayProcess> start_gateway(proxy::GatewayOptions options, jail::Identity const& identity, ListenerSource source, std::size_t workers = 1);

}  // namespace sallyport::cli
