#pragma once
// Event -> the members of a JSON object, by the table of event_fields.hpp. Pure; any thread. Assumes hostile values.

#include "audit/event.hpp"
#include "audit/json_writer.hpp"

#include <string_view>

namespace sallyport::audit {

/// Record type: "egress.request".
std::string_view type_of(Event const& event);

/// Writes "type", "phase" where the type has several, the fields in the order of the table, and "cut":true if a value did
/// not fit or had been cut before. Does not write the braces.
void write_members(JsonWriter& writer, Event const& event);

}  // namespace sallyport::audit
