#pragma once
// The members of a JSON object -> Event, by the table of event_fields.hpp: the inverse of event_writer. Pure; any thread.
// Hardened against hostile input: the process that parses bytes from the network writes these objects.

#include "audit/event.hpp"
#include "base/result.hpp"

#include <boost/json/object.hpp>

namespace sallyport::audit {

/// Reads what the gateway may report: DnsQuery, EgressRequest, EgressDone, EgressTunnel, DlpFinding, CredentialUse or LimitHit.
/// Accepts only what write_members() writes: members in the order of the table, none unknown, none missing, each of its
/// type. Error::invalid names the member.
Result<Event> read_gateway_event(boost::json::object const& members);

}  // namespace sallyport::audit
