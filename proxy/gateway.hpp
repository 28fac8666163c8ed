#pragma once
// The gateway process: everything that reads bytes from the jail's network or from servers. One worker (proxy/worker), or one a thread.
// Holds the listening sockets, outbound connections and a policy snapshot. Opens no files after confine(), executes
// nothing.

#include "base/result.hpp"
#include "base/unique_fd.hpp"
#include "policies/pin.hpp"
#include "policies/policy.hpp"
#include "proxy/broker.hpp"
#include "proxy/dlp_inspection.hpp"
#include "proxy/client_gate.hpp"
#include "proxy/listeners.hpp"
#include "proxy/session_ca.hpp"
#include "proxy/tenant.hpp"
#include "proxy/timeouts.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace sallyport::proxy {

struct GatewayOptions {
  std::shared_ptr<policies::Policy const> policy;
  std::vector<policies::Pin> pins;
  std::shared_ptr<policies::UpstreamRoute const> route = {};  // the operator's upstream proxy; null: none
  std::optional<SessionCa> ca = std::nullopt;  // without it no TLS can be intercepted
  std::string ca_bundle = {};                  // PEM: whom to trust besides the system's roots
  DlpOptions dlp = {};
  std::vector<BrokeredCredential> credentials = {};
  std::vector<TenantOptions> tenants = {};     // of `proxy`: others than the one whose policy is above
  ClientRules clients = {};                    // who may use the listeners
  Timeouts timeouts = {};
};

using TakeListeners = std::function<Result<ListenerFds>()>;

inline constexpr std::size_t kMaxWorkers = 64;

/// Runs the gateway until the channels say Stop or close; returns the exit status of the process, or ends it. Never throws.
/// Sends channel::Ready on each when all are confined and all listening sockets are adopted, or channel::Fatal.
/// `listeners` is called once, when everything else is ready: the jail makes them meanwhile.
/// `channels` are SOCK_SEQPACKET sockets to the supervisor (audit/channel.hpp), one for each worker. The first worker is on this thread.
int run_gateway(GatewayOptions options, TakeListeners listeners, std::vector<UniqueFd> channels);

}  // namespace sallyport::proxy
