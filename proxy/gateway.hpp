#pragma once
// The gateway process: everything that reads bytes from the jail's network or from servers. One thread, one io_context.
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

/// Runs the gateway until `channel` says Stop or closes; returns the exit status of the process. Never throws.
/// Sends channel::Ready when it is confined and all listening sockets are adopted, or channel::Fatal.
/// `listeners` is called once, when everything else is ready: the jail makes them meanwhile.
/// `channel` is a SOCK_SEQPACKET socket to the supervisor (audit/channel.hpp).
int run_gateway(GatewayOptions options, TakeListeners listeners, UniqueFd channel);

}  // namespace sallyport::proxy
