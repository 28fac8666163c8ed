#pragma once
// The HTTP request and response by which a connection becomes a WebSocket. Pure but for random bytes; any thread.
// Hardened against hostile clients and servers. Sources: RFC 6455 sections 4.1, 4.2; RFC 9110 section 7.8; RFC 8441 for HTTP/2. The gateway
// shakes hands twice: the server sees a key of the gateway's own, and the client the answer to its own key.

#include "base/result.hpp"
#include "proxy/request_head.hpp"
#include "proxy/websocket_extensions.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sallyport::proxy {

/// What a client asked for, from a handshake that is in order.
struct WebSocketOffer {
  std::string key;                         // Sec-WebSocket-Key; empty over HTTP/2, which has none
  std::vector<std::string> protocols;      // Sec-WebSocket-Protocol
  std::vector<DeflateParameters> deflate;  // offers of permessage-deflate
};

/// Whether the client asks for a WebSocket, rightly or not. Other upgrades are not passed on.
bool asks_for_websocket(RequestHead const& head);

/// REQUIRES: asks_for_websocket(). An error for a body, a version other than 13, subprotocols that are not tokens or that repeat; and in
/// HTTP/1.1 for a method other than GET, HTTP/1.0, a Connection that does not list upgrade, a key that is not 16 bytes in base64.
Result<WebSocketOffer> read_websocket_offer(RequestHead const& head);

/// `head` for the server, but for its key: the client's fields, with nothing but permessage-deflate among the extensions.
RequestHead websocket_request(RequestHead head, WebSocketOffer const& offer);

/// 16 random bytes in base64.
std::string new_websocket_key();
/// Sec-WebSocket-Accept for `key`.
std::string websocket_accept(std::string_view key);

/// What was agreed.
struct WebSocketTerms {
  std::optional<std::string> protocol;
  std::optional<DeflateParameters> deflate;
};
/// The server's 101 to a request with `key`. An error when it does not answer that key, or accepts what was not offered.
Result<WebSocketTerms> read_websocket_answer(ResponseHead const& head, WebSocketOffer const& offer, std::string_view key);

/// The server's `head` for the client: its fields, with the answer to the client's own key.
ResponseHead websocket_response(ResponseHead head, WebSocketOffer const& offer, WebSocketTerms const& terms);

}  // namespace sallyport::proxy
