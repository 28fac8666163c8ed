#pragma once
// The verdict record of a request, filled in as more becomes known. Values only.

#include "audit/event.hpp"
#include "policies/request.hpp"
#include "proxy/client.hpp"
#include "proxy/refusal.hpp"

#include <span>

namespace sallyport::proxy {

/// A record with an id of its own, for what `client` asked by `leg`. Its verdict is empty until allowed() or denied().
audit::EgressRequest new_record(Client const& client, audit::Leg leg, AuditPort& audit);
void set_request(audit::EgressRequest& record, policies::Request const& request);

audit::EgressRequest allowed(audit::EgressRequest record, policies::Verdict const& verdict,
                             std::span<policies::AllowedEndpoint const> endpoints);
audit::EgressRequest denied(audit::EgressRequest record, Refusal const& refusal);

}  // namespace sallyport::proxy
