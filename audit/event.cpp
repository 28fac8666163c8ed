#include "audit/event.hpp"

#include "audit/event_fields.hpp"

namespace sallyport::audit {

std::string_view to_string(Leg leg) { return word_of(leg); }

}  // namespace sallyport::audit
