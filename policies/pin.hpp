#pragma once
// --resolve HOST:PORT:ADDR[:PORT]: the operator pins where a name leads. Never a policy key. Values; any thread.

#include "base/result.hpp"
#include "policies/address_class.hpp"
#include "policies/canonical_host.hpp"

#include <cstdint>
#include <string_view>

namespace sallyport::policies {

/// A pinned name is decided by policy like any other; its address is exempt from the address guard, since the operator
/// named it.
struct Pin {
  CanonicalHost host;
  std::uint16_t port = 0;  // 0: any port, written '*'
  IpAddress address;
  std::uint16_t to_port = 0;  // 0: the port that was asked for
};
/// IPv6 addresses in brackets.
Result<Pin> parse_pin(std::string_view text);

}  // namespace sallyport::policies
