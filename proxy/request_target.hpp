#pragma once
// RequestHead -> what is asked for, in canonical form. No I/O. Hardened against hostile bytes. Source: RFC 9112 section 3.2.

#include "base/result.hpp"
#include "policies/canonical_host.hpp"
#include "policies/canonical_path.hpp"
#include "proxy/request_head.hpp"

#include <cstdint>
#include <string_view>

namespace sallyport::proxy {

/// authority = host ":" port            (CONNECT target, RFC 9112 section 3.2.3)
/// port      = 1*5DIGIT, 1..65535       leading zeros, spaces and userinfo are errors
struct Authority {
  policies::CanonicalHost host;
  std::uint16_t port;
};
Result<Authority> parse_connect_authority(std::string_view target);
/// host [":" port], as in the Host field.
Result<Authority> parse_host_field(std::string_view value, std::uint16_t default_port);

enum class UrlScheme { http, https };
inline std::uint16_t standard_port(UrlScheme scheme) { return scheme == UrlScheme::https ? 443 : 80; }

struct HttpTarget {
  policies::CanonicalHost host;
  std::uint16_t port;
  policies::CanonicalPath path;
  UrlScheme scheme = UrlScheme::http;
};
/// absolute-form "http://host[:port]/path"; other schemes and userinfo are errors; the Host field must name the same authority.
Result<HttpTarget> parse_absolute_target(RequestHead const& head);
/// origin-form with a Host field; `default_port` is the port the client dialled. The Host field's port, if any, must be that port.
Result<HttpTarget> parse_origin_target(RequestHead const& head, std::uint16_t default_port);

}  // namespace sallyport::proxy
