#pragma once
// The session.start records of `run`, `proxy`, `attach` and `guard`. Asks the kernel for the host's name and release.

#include "audit/event.hpp"
#include "jail/plan.hpp"
#include "policies/policy.hpp"
#include "policies/upstream_proxy.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace sallyport::cli {

audit::SessionStart run_start(policies::Policy const& policy, jail::Plan const& plan, std::string const& workspace);
/// `arguments`: the listeners, and who may use them. Nobody is confined and no command is seen: the record says so.
audit::SessionStart proxy_start(policies::Policy const& policy, std::vector<std::string> const& arguments);

/// `asked`: how the container was named. What happens in the container besides its network is its engine's affair.
enum class CommandAudit { unavailable, after_the_fact };
audit::SessionStart attach_start(policies::Policy const& policy, std::vector<std::string> const& asked, CommandAudit commands);

/// `gateway`: whose uid the network is left to.
audit::SessionStart guard_start(policies::Policy const& policy, std::uint32_t gateway, std::vector<std::string> const& command);

/// With what an upstream proxy takes from the session, if there is one: null is none.
audit::SessionStart routed(audit::SessionStart event, policies::UpstreamRoute const* route);

}  // namespace sallyport::cli
