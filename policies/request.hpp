#pragma once
// What a decision may depend on. Values; any thread.

#include "policies/canonical_host.hpp"
#include "policies/canonical_path.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sallyport::policies {

/// What is known of the bytes that will flow.
enum class Scheme {
  tunnel,  // not known yet: a CONNECT or SOCKS5 request, before its first byte; decided again when it is
  tls,     // TLS that is not terminated here: method and path are unknown
  raw,     // bytes that nobody reads
  http,    // one plain HTTP request: method, path and fields are known
  https,   // one HTTP request inside TLS that is terminated here: likewise
};

/// What the request asks its connection to become.
enum class Upgrade { none, websocket };

/// A header field as received; compared without case. Lifetime: what it views outlives the decision.
struct HeaderField {
  std::string_view name;
  std::string_view value;
};

struct Request {
  CanonicalHost host;
  std::uint16_t port = 0;
  Scheme scheme = Scheme::tunnel;
  std::string method;                 // empty unless http or https
  std::optional<CanonicalPath> path;  // set if http or https
  Upgrade upgrade = Upgrade::none;     // of http or https
  std::vector<HeaderField> headers{};  // needed only if Engine::reads_headers()
  std::string process{};               // path of the executable, empty if not known; needed only if Engine::reads_process()
  std::string script{};                // that it runs, if it is an interpreter; likewise
};

}  // namespace sallyport::policies
