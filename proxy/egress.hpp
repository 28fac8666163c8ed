#pragma once
// From a permission to a connection: resolve, admit, record, dial. One order for every leg.
// Thread: its worker's. Lifetime: `deps` outlives the await.

#include "proxy/client.hpp"
#include "proxy/refusal.hpp"

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace sallyport::proxy {

using Addresses = std::vector<policies::IpAddress>;
using Endpoints = std::vector<policies::AllowedEndpoint>;

/// Name resolution within its deadline; 502 when it fails, 403 when the name itself must not be asked for. A pinned target
/// is not looked up and has no addresses here.
awaitable<Attempt<Addresses>> find_addresses(policies::AllowedTarget target, SessionDeps const& deps);
/// The pinned endpoint, or the name itself when the upstream proxy looks it up, or what the address guard admits of `addresses`; 403 when
/// that is nothing.
Attempt<Endpoints> admit(policies::AllowedTarget const& target, Addresses const& addresses, policies::Engine const& engine);
/// Both, one after the other.
awaitable<Attempt<Endpoints>> find_endpoints(policies::AllowedTarget target, SessionDeps const& deps);

struct Upstream {
  Stream stream;
  std::optional<policies::IpAddress> address;  // empty: the upstream proxy looked the name up
  std::chrono::microseconds connect_time{0};
  RuleBudget::Connection slot{};  // of the rule it was opened under
  std::shared_ptr<policies::UpstreamProxy const> forwarder = nullptr;  // to be asked in the server's place; null: this leads to the server
};

/// 502 or 504 when nobody answers. REQUIRES: the verdict is recorded.
awaitable<Attempt<Upstream>> dial(Endpoints endpoints, Passage passage, SessionDeps const& deps);
/// Dials while the record is being written, and returns the connection once both are done: no byte can go upstream before
/// the verdict is in the audit log. An upstream proxy is told the name, so it is dialled after that. 502 or 504 when the dial
/// fails (the verdict stays recorded), 502 when the record fails.
/// REQUIRES: `record` is filled in by allowed().
awaitable<Attempt<Upstream>> record_and_dial(audit::EgressRequest record, Endpoints endpoints, Passage passage, SessionDeps const& deps);

/// TLS to the server, its certificate verified for `target`. 502 with the reason when it is not to be trusted.
awaitable<Attempt<void>> secure(Upstream& upstream, policies::AllowedTarget target, ServerProtocols offer, SessionDeps const& deps);

}  // namespace sallyport::proxy
