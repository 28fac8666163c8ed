#pragma once
// What a client of a proxy shows to be let through. Pure; any thread. Source: RFC 7617.

#include "policies/upstream_proxy.hpp"

#include <string>

namespace sallyport::proxy {

/// The value of Proxy-Authorization; empty without credentials.
std::string basic_authorization(policies::UpstreamProxy const& proxy);

/// What a proxy's answer means that is no success, for people: "it answered 407 …".
std::string proxy_refusal(int status, std::string const& reason_phrase);

inline constexpr int kProxyAuthenticationRequired = 407;  // RFC 9110 section 15.5.8

}  // namespace sallyport::proxy
