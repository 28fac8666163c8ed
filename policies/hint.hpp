#pragma once
// The one sentence a refusal carries: what could be allowed, and how. Pure; any thread.

#include "policies/address_class.hpp"
#include "policies/policy.hpp"
#include "policies/request.hpp"

#include <string>
#include <string_view>

namespace sallyport::policies {

/// For a request that `reason` refuses; `rule` is the rule that decided, null if none did.
std::string hint_for(std::string_view reason, Request const& request, Rule const* rule);

/// For a name that leads to an address `rule` does not admit.
std::string address_hint(CanonicalHost const& host, IpAddress const& address, Rule const& rule);

}  // namespace sallyport::policies
