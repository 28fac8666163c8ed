#pragma once
// The server's side of one request: where it is sent and its answer comes from, whatever protocol the server speaks. The counterpart of
// Responder. Thread: its worker's. One call for each direction at a time. Destroying it gives up what is under way.
// Does not dial, set deadlines, or judge what a response says.

#include "proxy/message_body.hpp"
#include "proxy/request_head.hpp"
#include "proxy/request_target.hpp"

#include <cstdint>
#include <optional>

namespace sallyport::proxy {

enum class After { close, reusable };  // what becomes of the server's connection

class Requester {
 public:
  virtual ~Requester() = default;
  /// The head in canonical form, once, before anything else is called; read_head() may be called while it waits. Both outlive this.
  /// A head that asks for a WebSocket: when the final head is a 101, body() and response_body() are the bytes of it.
  virtual awaitable<Result<void>> request(RequestHead const& head, HttpTarget const& target) = 0;
  /// Of the request whose head was sent.
  virtual BodySink& body() = 0;
  /// The next head of the response: interim ones (1xx), then the final one, once.
  virtual awaitable<Result<ResponseHead>> read_head() = 0;
  /// Of the response whose final head was read.
  virtual BodySource& response_body() = 0;
  /// Of the connection, behind a request and a response that were both passed whole.
  virtual After after() = 0;
  /// When something failed: the server says that it has not looked at the request, so it may be sent again.
  virtual bool untouched() const = 0;
  /// Of a response that the server broke off: the code it gave (RFC 9113 section 7), if its protocol has one.
  virtual std::optional<std::uint32_t> reset_code() const = 0;
};

}  // namespace sallyport::proxy
