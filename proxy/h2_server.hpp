#pragma once
// The server's end of an HTTP/2 connection: every request is a stream with a task of its own. Thread: its worker's.
// Hardened against hostile clients. Sources: RFC 9113; RFC 8441 (extended CONNECT). No server push.

#include "proxy/h2_pump.hpp"
#include "proxy/h2_stream.hpp"
#include "proxy/task_set.hpp"

#include <functional>
#include <memory>
#include <vector>

namespace sallyport::proxy {

/// One request and its response.
class H2ServerStream : public H2Stream {
 public:
  /// Code::limit asks for 431, Code::invalid for 400: the client is told if the stream still stands (see cut()).
  Result<H2Request> const& request() const { return *state().in.request; }

  /// An interim response, 100 or 103.
  Result<void> inform(int status, std::vector<Field> const& fields);
  /// The final head, once. `fields` as h2_response_fields() makes them. With EndStream::yes there is no body and no finish().
  Result<void> respond(int status, std::vector<Field> const& fields, EndStream end = EndStream::no);

 private:
  friend class H2ServerConnection;
  using H2Stream::H2Stream;
};

class H2ServerConnection {
 public:
  using Handler = std::function<awaitable<void>(H2ServerStream)>;

  /// Lifetime: both outlive the connection. `tasks` hears the exceptions of handlers.
  H2ServerConnection(Stream& stream, H2Limits const& bounds, TaskSet& tasks);
  H2ServerConnection(H2ServerConnection const&) = delete;
  H2ServerConnection& operator=(H2ServerConnection const&) = delete;

  /// Starts `handler(stream)` for every request until the connection ends, cuts what is still open, and waits for all handlers, also when
  /// it is cancelled: so what they refer to has to outlive this await only. Handlers that do not use their stream should run beside
  /// wait_until_cut(). Errors as of H2Pump::run(). Does not close the stream.
  awaitable<Result<void>> run(Handler handler);
  /// No new requests; run() ends when the present ones have.
  void shut_down() { session_->shut_down(); }
  /// Body bytes that came and were not taken by their handlers.
  std::size_t buffered_bytes() const { return session_->inbox().buffered_bytes(); }

 private:
  void start_handlers(Handler const& handler);
  awaitable<void> wait_for_handlers();

  Stream& stream_;
  TaskSet& tasks_;
  std::shared_ptr<H2Session> session_;
};

}  // namespace sallyport::proxy
