#pragma once
// A request that asks to become a WebSocket, from its handshake to its end. Thread: the gateway's.
// Lifetime: what is referred to outlives it.

#include "proxy/request_target.hpp"
#include "proxy/responder.hpp"
#include "proxy/stream.hpp"
#include "proxy/websocket_handshake.hpp"
#include "proxy/websocket_relay.hpp"

#include <string>

namespace sallyport::proxy {

class WebSocketUpgrade {
 public:
  /// `client`: what comes from the client behind the request's head.
  WebSocketUpgrade(WebSocketOffer offer, WebSocketGuard guard, BodySource& client);

  /// The head for the server. `head` is made by websocket_request().
  std::string request_head(RequestHead head, HttpTarget const& target) const;

  /// The server's 101. Checks it, passes it on, and relays until one of both ends it. An error when it is no answer to the request:
  /// then nothing was written to the client.
  awaitable<Result<void>> run(ResponseHead answer, Responder& client, Stream& upstream, Activity& activity);

  /// How far it has come.
  WebSocketEnd const& end() const { return end_; }

 private:
  WebSocketOffer offer_;
  WebSocketGuard guard_;
  BodySource& client_;
  std::string key_;  // that the server sees
  WebSocketEnd end_;
};

}  // namespace sallyport::proxy
