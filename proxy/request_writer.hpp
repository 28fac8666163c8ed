#pragma once
// Canonical heads out. The client's bytes are never echoed upstream: everything here is written from parsed values. No I/O.

#include "policies/upstream_proxy.hpp"
#include "proxy/request_head.hpp"
#include "proxy/request_target.hpp"

#include <string>

namespace sallyport::proxy {

/// Origin-form request head for upstream: method, canonical path, `Host` from the target, then the client's end-to-end
/// fields in order. Hop-by-hop fields (RFC 9110 section 7.6.1: Connection and what it names, Proxy-*, Keep-Alive, TE,
/// Transfer-Encoding, Upgrade) are dropped; framing is written anew from head.body. Ends with "Connection: close" or
/// keep-alive, or with the fields that ask for a WebSocket, as `connection` says.
enum class UpstreamConnection { close, keep_alive, websocket };
std::string write_request_head(RequestHead const& head, HttpTarget const& target, UpstreamConnection connection);
/// The same in absolute-form, for an HTTP proxy that is asked for a resource outside TLS (RFC 9112 section 3.2.2), with its credentials.
std::string write_forwarded_head(RequestHead const& head, HttpTarget const& target, UpstreamConnection connection,
                                 policies::UpstreamProxy const& forwarder);

/// Response head for the client: hop-by-hop fields and any `Sallyport-Reason` from upstream are dropped, framing is written
/// anew, `Connection` says whether this connection stays open, or becomes a WebSocket.
enum class ClientConnection { close, keep_alive, websocket };
std::string write_response_head(ResponseHead const& head, ClientConnection connection);

/// Whether `field`, one of `fields`, is about one connection only (RFC 9110 section 7.6.1), or is written anew from other values:
/// framing, Host, Expect.
bool is_hop_by_hop(Field const& field, std::vector<Field> const& fields);
/// A response without a body may still say how long the body of a GET would be (RFC 9110 section 8.6).
bool may_announce_length(int status);

}  // namespace sallyport::proxy
