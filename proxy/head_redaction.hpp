#pragma once
// Overwrites secrets in the head of a request that goes on without them. Pure; any thread. Does not look for them: inspection does.

#include "proxy/inspection.hpp"
#include "proxy/request_head.hpp"
#include "proxy/request_target.hpp"

#include <vector>

namespace sallyport::proxy {

/// In values of fields, and in the query of `target`. The rest of the head is as the policy allowed it.
void redact(RequestHead& head, HttpTarget& target, std::vector<HeadReplacement> const& replacements);

}  // namespace sallyport::proxy
