#pragma once
// One request and its response between a client and a server, whichever protocol each of them speaks (RFC 9110 section 15.2 for 1xx).
// Bodies are streamed with back-pressure and validated as they pass; heads are written anew. Does not decide, record
// or dial. Does not notice a client that only stopped sending: a response may still be wanted.

#include "proxy/message_body.hpp"
#include "proxy/activity.hpp"
#include "proxy/request_head.hpp"
#include "proxy/request_target.hpp"
#include "proxy/requester.hpp"
#include "proxy/responder.hpp"
#include "proxy/websocket_upgrade.hpp"

#include <chrono>
#include <cstdint>
#include <string>

namespace sallyport::proxy {

enum class Fault { none, client, upstream, idle, policy };  // who ended it early

enum class Seen { perhaps, nothing };  // by the server, of a request that failed

struct ExchangeEnd {
  int status = 0;              // of the response; 0 if no head came
  std::uint64_t bytes_up = 0;  // of the body, without framing
  std::uint64_t bytes_down = 0;
  std::uint64_t messages_up = 0;  // of a WebSocket
  std::uint64_t messages_down = 0;
  std::string error;  // why it ended early, empty if it did not
  Fault fault = Fault::none;
  Seen seen = Seen::perhaps;  // nothing: it may be sent again, with its body
  Next next = Next::close;
  After upstream = After::close;  // whether the server's connection is fit for another request
};

/// When something moved last, and how long it may have been ago.
struct Patience {
  Activity& activity;
  std::chrono::milliseconds idle;
};

/// Sends `head` in canonical form and `body`, which is read from the client, and relays the response. A response may end before the body is sent; the
/// client's connection is then not used again. When status is 0, nothing was written to the client: the caller answers.
/// When it failed later, the client's connection was reset, so that a cut body cannot pass for a whole one.
/// Ends when its activity is revoked, or nothing moves for too long; sends nothing when it is revoked already. `websocket`: null, unless `head` asks for one; then the body is not read.
/// Thread: its worker's. Lifetime: everything outlives the await.
awaitable<ExchangeEnd> exchange(Responder& client, BodySource& body, Requester& server, RequestHead const& head, HttpTarget const& target, Patience patience,
                                WebSocketUpgrade* websocket = nullptr);

}  // namespace sallyport::proxy
