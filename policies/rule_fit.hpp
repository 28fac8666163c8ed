#pragma once
// How one rule that names the host meets one request. Pure; any thread. Hardened against hostile requests. Does not weigh rules
// against one another: policies/engine.hpp does.

#include "policies/request.hpp"
#include "policies/rule_index.hpp"

#include <string_view>

namespace sallyport::policies {

/// Later is closer.
enum class Fit {
  wrong_port,
  wrong_process,
  wrong_method,
  wrong_path,
  wrong_repo,   // git, of another repository
  wrong_access, // git, a push where only reading is allowed
  wrong_query,
  wrong_header,
  wrong_upgrade,  // a WebSocket, and only its GET is allowed
  unseen,  // it depends on what cannot be seen (tls, raw) or is not known yet (tunnel)
  whole,
};

/// A process that is not known is no process an allow rule lists, and may be any that a deny or ask rule lists.
Fit fit(CompiledRule const& compiled, Request const& request);

/// Whether the rule looks at more than host, port and process: at what only an HTTP request shows.
bool needs_request(Rule const& rule);
/// Whether no request to `port` can get past this rule, whatever else it says.
bool covers_port(Rule const& rule, std::uint16_t port);

/// The reason code of a request that misses the rule by this much.
std::string_view reason_of(Fit fit);

}  // namespace sallyport::policies
