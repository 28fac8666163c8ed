#pragma once
// The environment of the jailed command: a documented list of the caller's variables, what the policy adds, and what every
// common client needs to find the proxy. Pure. The list stands in docs/jail_operation.md.

#include "policies/policy.hpp"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace sallyport::jail {

using Variables = std::map<std::string, std::string>;

/// From an environ(7) array.
Variables read_environment(char const* const* environ);

/// What the session adds, whatever the caller has.
struct SessionVariables {
  std::uint16_t proxy_port = 0;
  Variables trust{};           // of the trust pack; empty if there is none
  std::string java_options{};  // likewise
  Variables planted{};         // placeholders of credentials, and canaries: nothing takes their place
};

/// The variables by which common clients find the proxy.
Variables proxy_variables(std::uint16_t proxy_port);

/// NAME=value, sorted. `host` is the caller's environment; everything not on the list and not in `policy.pass` is left out.
std::vector<std::string> make_environment(Variables const& host, policies::Environment const& policy, SessionVariables const& session);

}  // namespace sallyport::jail
