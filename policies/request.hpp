#pragma once
// What a decision may depend on. Values; any thread.

#include "policies/canonical_host.hpp"
#include "policies/canonical_path.hpp"

#include <cstdint>
#include <optional>
#include <string>

namespace sallyport::policies {

/// What is known of the bytes that will flow.
enum class Scheme {
  tunnel,  // not known yet: a CONNECT or SOCKS5 request, before its first byte; decided again when it is
  tls,     // TLS that is not terminated here: method and path are unknown
  http,    // one HTTP request, method and path known
};

struct Request {
  CanonicalHost host;
  std::uint16_t port = 0;
  Scheme scheme = Scheme::tunnel;
  std::string method;                 // empty unless http
  std::optional<CanonicalPath> path;  // set if http
};

}  // namespace sallyport::policies
