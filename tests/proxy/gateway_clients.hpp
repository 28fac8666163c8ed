#pragma once
// What clients of the gateway say, and the policy most tests run it with.

#include "base/unique_fd.hpp"
#include "tests/proxy/gateway_harness.hpp"
#include "tests/proxy/loopback.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace sallyport::tests {

/// tls.example.com and other.example.com: TLS on 443. web.example.com: HTTP on 80, GET, POST and HEAD below /ok.
/// closed.example.com: allowed, and nobody listens there. localhost: allowed, but its addresses are not.
extern char const* const kRules;
/// Leads the names of kRules to `origin`.
std::vector<std::string> pins_to(Origin const& origin);

std::string hello_for(std::string const& name);
std::string connect_request(std::string const& authority);
std::string get(std::string const& url, std::string const& host);

/// A client that asked for a tunnel and got it.
UniqueFd opened_tunnel(GatewayHarness const& gateway, std::string const& authority);
/// Everything that comes back.
std::string ask(std::uint16_t port, std::string const& request);

}  // namespace sallyport::tests
