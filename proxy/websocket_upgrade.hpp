#pragma once
// A request that asks to become a WebSocket, from its handshake to its end. Thread: its worker's.
// Lifetime: what is referred to outlives it.

#include "proxy/requester.hpp"
#include "proxy/websocket_handshake.hpp"
#include "proxy/websocket_relay.hpp"

#include <optional>
#include <string>

namespace sallyport::proxy {

class WebSocketUpgrade {
 public:
  /// `client`: what comes from the client behind the request's head.
  WebSocketUpgrade(WebSocketOffer offer, WebSocketGuard guard, BodySource& client);

  /// The head for the server. `head` is made by websocket_request().
  RequestHead request_head(RequestHead head) const;

  /// The server's 101, made to be the client's. An error when it does not answer the request.
  Result<ResponseHead> accept(ResponseHead answer);
  /// Until one of both ends it. REQUIRES: accept() succeeded, and what it returned was sent.
  awaitable<void> relay(BodySink& client, Requester& server, Activity& activity);

  /// Ends relay() with a Close frame for both sides. False when it has not begun.
  bool end(std::string why);

  /// How far it has come.
  WebSocketEnd const& end() const { return end_; }

 private:
  WebSocketOffer offer_;
  WebSocketTerms terms_;
  WebSocketGuard guard_;
  BodySource& client_;
  std::string key_;  // that the server sees
  WebSocketEnd end_;
  std::optional<Farewell> farewell_;  // from the start of relay() on
};

}  // namespace sallyport::proxy
