#pragma once
// The gateway alone, for clients that are pointed at it: no jail, so no process behind a request is known.

#include "cli/command.hpp"
#include "cli/proxy_options.hpp"

namespace sallyport::cli {

/// Serves until SIGTERM or SIGINT, then drains, and ends the audit log. SIGHUP, and a change of the policy's files, reload the policy.
/// Returns the exit status: 0, or 125.
int run_proxy_session(ProxyOptions const& options, Console const& console);

}  // namespace sallyport::cli
