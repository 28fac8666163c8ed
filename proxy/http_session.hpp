#pragma once
// The HTTP requests of one connection: each decided, recorded and answered alone.

#include "proxy/client.hpp"
#include "proxy/http_connection.hpp"
#include "proxy/refusal.hpp"
#include "proxy/responder.hpp"

namespace sallyport::proxy {

/// Where one request comes from and its answer goes. Lifetime: all outlive it.
struct RequestSide {
  Client const& client;
  BodySource& body;
  Responder& responder;
};

/// One request, top to bottom, with exactly one verdict record on every path. `head` was read from the client, its body
/// not. Thread: its worker's. Lifetime: everything outlives the await.
awaitable<Next> serve_request(RequestSide side, RequestHead head, HttpConnection& connection, SessionDeps const& deps);

/// The next request of an HTTP/1.1 connection. The same.
awaitable<Next> serve_http1_request(Client& client, RequestHead head, HttpConnection& connection, SessionDeps const& deps);

/// Waits for the first byte of the connection's next request. An error when none comes in Timeouts::keep_alive, or when a new
/// policy does not allow what the connection leads to.
awaitable<Result<void>> wait_next_request(Stream& client, HttpConnection const& connection, SessionDeps const& deps);

/// Requests inside a tunnel until the client closes, one is refused, or nothing comes for Timeouts::keep_alive.
/// REQUIRES: a first byte is buffered.
awaitable<void> serve_http_tunnel(Client& client, HttpConnection connection, SessionDeps const& deps);

/// Records the refusal of something that is no request, and answers it.
awaitable<void> refuse_bad_request(RequestSide side, HttpScope const& scope, Refusal refusal, SessionDeps const& deps);

/// Records the refusal of something that is no request on an HTTP/1.1 connection, answers it, and closes.
awaitable<void> refuse_bad_head(Client& client, HttpScope const& scope, Refusal refusal, SessionDeps const& deps);

}  // namespace sallyport::proxy
