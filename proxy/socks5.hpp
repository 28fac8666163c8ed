#pragma once
// SOCKS5, CONNECT by name. No I/O. Hardened against hostile bytes. Source: RFC 1928.

#include "base/result.hpp"
#include "policies/canonical_host.hpp"
#include "proxy/request_head.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>

namespace sallyport::proxy::socks5 {

enum class Reply : std::uint8_t { succeeded = 0, general_failure = 1, not_allowed = 2, host_unreachable = 4, refused = 5,
                                  ttl_expired = 6, command_not_supported = 7, address_type_not_supported = 8 };

struct Greeting {
  bool no_authentication = false;  // the client offers method 0x00
  std::size_t bytes = 0;
};
using GreetingStep = std::variant<NeedMore, Greeting, Error>;
GreetingStep parse_greeting(std::string_view buffer);
/// Method selection: 0x00, or 0xff when the client does not offer it.
std::string method_reply(Greeting const& greeting);

/// A parse failure that has a SOCKS5 answer.
struct Refusal { Reply reply; Error error; };
struct ConnectRequest {
  policies::CanonicalHost host;    // a name, or an address the client dialled
  std::uint16_t port = 0;
  std::size_t bytes = 0;
};
using RequestStep = std::variant<NeedMore, ConnectRequest, Refusal>;
/// BIND and UDP ASSOCIATE are refused with command_not_supported.
RequestStep parse_request(std::string_view buffer);
/// Reply with the unspecified bound address.
std::string reply(Reply code);

}  // namespace sallyport::proxy::socks5
