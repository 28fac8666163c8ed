#pragma once
// The header by which a load balancer says for whom it connects: PROXY protocol version 2. No I/O. Hardened against hostile bytes.
// Source: HAProxy's proxy-protocol.txt, section 2.2. Version 1, which is text, is not read; TLVs are skipped, checksums among them.

#include "base/result.hpp"
#include "proxy/net_address.hpp"
#include "proxy/request_head.hpp"

#include <cstddef>
#include <optional>
#include <string_view>
#include <variant>

namespace sallyport::proxy {

struct ProxyHeader {
  std::optional<Peer> client;  // empty: the balancer speaks for itself (LOCAL), or for a client without an IP address
  std::size_t bytes = 0;       // of the header, at the front of what was read
};
using ProxyHeaderStep = std::variant<NeedMore, ProxyHeader, Error>;

/// `buffer` is everything received since the connection began, and grows from call to call. Errors as soon as it cannot become a header.
ProxyHeaderStep parse_proxy_header(std::string_view buffer);

}  // namespace sallyport::proxy
