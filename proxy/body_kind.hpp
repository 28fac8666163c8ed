#pragma once
// How a head says its body is delimited. No I/O; any thread. Hardened against hostile bytes. Source: RFC 9112 section 6.

#include "base/result.hpp"
#include "proxy/request_head.hpp"

#include <cstdint>
#include <string_view>
#include <vector>

namespace sallyport::proxy {

/// 1*DIGIT up to 2^63-1, so that a peer with signed sizes reads the same number.
Result<std::uint64_t> parse_content_length(std::string_view value);

/// What a head is about, as far as its body depends on it.
struct BodyContext {
  std::string_view request_method;
  int minor_version = 1;
};
/// Refuses what two parsers could read in two ways: Content-Length with Transfer-Encoding, either of them twice, codings
/// other than one "chunked", Transfer-Encoding in HTTP/1.0.
Result<BodyKind> request_body_kind(std::vector<Field> const& fields, BodyContext const& context);
/// The same checks; then none for 1xx, 204, 304 and answers to HEAD, and UntilClose where nothing says how long it is.
Result<BodyKind> response_body_kind(std::vector<Field> const& fields, BodyContext const& context, int status);

}  // namespace sallyport::proxy
