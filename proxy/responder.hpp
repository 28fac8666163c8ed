#pragma once
// The client's side of one request: where its answer goes, whatever protocol the client speaks. Thread: its worker's. One call at a time.

#include "policies/verdict.hpp"
#include "proxy/activity.hpp"
#include "proxy/message_body.hpp"
#include "proxy/refusal.hpp"
#include "proxy/request_head.hpp"

#include <cstdint>
#include <optional>
#include <string_view>

namespace sallyport::proxy {

enum class Next { request, close };  // what may come on the client's connection

enum class BodyComes { at_once, later };

/// A refusal, and what its answer says of the request.
struct RefusedRequest {
  Refusal refusal;
  std::string_view host;
  std::string_view method;
  std::string_view accept;
};

class Responder {
 public:
  virtual ~Responder() = default;
  /// An interim response (1xx). Clients that do not know them get none.
  virtual awaitable<Result<void>> inform(ResponseHead const& head) = 0;
  /// The final head, once; `next` says whether the connection stays open behind the response. A 101 is a WebSocket's: its body is what
  /// goes to the client from then on. `body`: at once if body() is written to without a wait; then the head may go with it.
  virtual awaitable<Result<void>> respond(ResponseHead const& head, Next next, BodyComes body) = 0;
  /// Of the response whose head was sent.
  virtual BodySink& body() = 0;
  /// What was sent cannot pass for a whole response. `server_code`: see Requester::reset_code().
  virtual void cut(std::optional<std::uint32_t> server_code) = 0;
  /// Waits until the client gives the request up by itself. `activity` tells when something moved last; it outlives the await.
  virtual awaitable<void> wait_until_given_up(Activity const& activity) = 0;
  /// The whole answer of a request that goes no further. REQUIRES: no final head was sent.
  virtual awaitable<void> refuse(RefusedRequest refused) = 0;
  /// The response is over.
  virtual awaitable<void> end(Next next) = 0;
};

}  // namespace sallyport::proxy
