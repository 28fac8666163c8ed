#pragma once
// The messages of one WebSocket, both ways: frames are checked and written anew, messages are judged before they go on, and what the
// client sends counts towards its rule. Thread: its worker's. Lifetime: what is referred to outlives it. Hardened against both sides.
// Source: RFC 6455 sections 5 to 8.

#include "proxy/activity.hpp"
#include "proxy/held_message.hpp"
#include "proxy/message_body.hpp"
#include "proxy/rule_budget.hpp"
#include "proxy/wakeup.hpp"
#include "proxy/websocket_extensions.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace sallyport::proxy {

/// What messages have to pass.
struct WebSocketGuard {
  Inspection& inspection;
  RuleBudget& budget;
  policies::AllowedTarget permit;
  std::uint64_t request = 0;           // id in audit records
  std::vector<BodySwap> echoes = {};   // of the credentials in the handshake, what the server may send back
};

/// The bytes behind the handshake.
struct WebSocketEnds {
  BodySource& from_client;
  BodySink& to_client;
  BodySource& from_server;
  BodySink& to_server;
};

struct WebSocketEnd {
  std::uint64_t bytes_up = 0;  // of payload, as it was sent
  std::uint64_t bytes_down = 0;
  std::uint64_t messages_up = 0;
  std::uint64_t messages_down = 0;
  std::string error;                              // why it ended without a Close frame of one of them
  std::optional<Refusal> refusal = std::nullopt;  // of a message
};

/// By which somebody else ends a relay.
class Farewell {
 public:
  explicit Farewell(Executor executor) : wakeup_(std::move(executor)) {}
  void say() {
    is_said_ = true;
    wakeup_.notify();
  }
  awaitable<void> wait() {
    while (!is_said_) co_await wakeup_.wait();
  }

 private:
  Wakeup wakeup_;
  bool is_said_ = false;
};

/// Until one side ends it, or breaks the protocol, or sends what may not go, or `farewell` is said: then both get a Close frame (1002,
/// 1007 or 1008) and limits::kDrainTimeout to take it, or after a farewell what the caller gives them. `end` is up to date at any time:
/// the await may be cancelled. `deflate`: as the server accepted it.
awaitable<void> relay_websocket(WebSocketEnds ends, WebSocketGuard& guard, std::optional<DeflateParameters> deflate,
                                Activity& activity, Farewell& farewell, WebSocketEnd& end);

}  // namespace sallyport::proxy
