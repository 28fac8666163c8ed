#pragma once
// The client's end of an HTTP/2 connection, to a server. Thread: its worker's. Hardened against hostile servers.
// Sources: RFC 9113; RFC 8441 (extended CONNECT). Takes no server push.

#include "proxy/h2_pump.hpp"
#include "proxy/h2_stream.hpp"

#include <memory>
#include <string>

namespace sallyport::proxy {

/// One request and its response.
class H2ClientStream : public H2Stream {
 public:
  /// The next head: interim ones (1xx) first, then the final one, once.
  awaitable<Result<ResponseHead>> read_response_head();
  /// When something failed: whether the server has not looked at the request, so that it may be sent again on another connection
  /// (RFC 9113 section 8.7: REFUSED_STREAM, or a GOAWAY that does not count it).
  bool refused() const { return state().refused; }
  /// The error code the server broke the stream off with (RFC 9113 section 7), if it did.
  std::optional<std::uint32_t> reset_code() const { return state().reset_code; }

 private:
  friend class H2ClientConnection;
  using H2Stream::H2Stream;
};

/// How a request is sent.
struct H2Open {
  EndStream end = EndStream::no;  // yes: no body, no finish()
  std::string protocol;           // makes it an extended CONNECT, if the server offers that
};

class H2ClientConnection {
 public:
  /// Lifetime: `stream` outlives run().
  H2ClientConnection(Stream& stream, H2Limits const& bounds);
  H2ClientConnection(H2ClientConnection const&) = delete;
  H2ClientConnection& operator=(H2ClientConnection const&) = delete;

  /// Moves the bytes of all streams until the connection ends; streams that are still open are cut then. Errors as of H2Pump::run().
  awaitable<Result<void>> run();
  /// The server's SETTINGS came, or the connection ended.
  awaitable<void> wait_for_settings();

  /// Whether one more stream may be opened. Not after GOAWAY, not above what the server allows at once.
  bool can_open() const { return session_->can_open(); }
  /// RFC 8441; false before the server's SETTINGS came.
  bool offers_extended_connect() const { return session_->offers_extended_connect(); }
  /// Sends the head in canonical form. Code::limit when can_open() is false.
  Result<H2ClientStream> open(RequestHead const& head, HttpTarget const& target, H2Open how = {});
  /// No new streams; run() ends when the present ones have.
  void shut_down() { session_->shut_down(); }
  std::size_t buffered_bytes() const { return session_->inbox().buffered_bytes(); }

 private:
  Stream& stream_;
  std::shared_ptr<H2Session> session_;
};

}  // namespace sallyport::proxy
