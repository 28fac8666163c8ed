#pragma once
// The client's side of CONNECT: a tunnel through an HTTP proxy. Thread: its worker's. Sources: RFC 9110 section 9.3.6, RFC 7617.

#include "policies/upstream_proxy.hpp"
#include "proxy/stream.hpp"

#include <string>

namespace sallyport::proxy {

/// Asks for a tunnel to `authority` ("host:port") over `stream`, which is connected to `proxy`; what follows on it is the tunnel's.
/// Code::denied when the proxy says no, with its answer; Code::invalid when it speaks no HTTP. Sets no deadline.
awaitable<Result<void>> open_by_connect(Stream& stream, policies::UpstreamProxy const& proxy, std::string authority);

}  // namespace sallyport::proxy
