#pragma once
// One HTTP/2 connection without its socket: bytes in, bytes out, and what may be done to its streams. Thread: its worker's.
// Lifetime: shared by the connection that moves the bytes and the handles of its streams, so a handle may outlive the connection.
// Hardened against hostile peers. Source: RFC 9113.

#include "proxy/h2_library.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace sallyport::proxy {

class H2Session {
 public:
  H2Session(H2Side side, H2Limits const& bounds, Executor executor);
  H2Session(H2Session const&) = delete;
  H2Session& operator=(H2Session const&) = delete;

  /// Takes bytes from the peer. After an error a GOAWAY is among what output() returns, and nothing more may be fed.
  Result<void> feed(std::string_view bytes);
  /// What goes to the peer now, at most about limits::kRelayBlockBytes; valid until the next call. Empty: wait for output_wanted().
  Result<std::string_view> output();
  Wakeup& output_wanted() { return output_wanted_; }
  /// Nothing more will be read or written.
  bool over() const;
  H2Inbox& inbox() { return inbox_; }

  /// No new streams; the present ones go on. over() comes when they have ended.
  void shut_down();
  /// A goodbye without waiting for streams.
  void terminate();
  /// The connection is gone: every stream is cut.
  void end(Error const& why);
  /// The reason of an end in order.
  static Error closed() { return Error{Code::closed, 0, "HTTP/2: the connection ended"}; }

  /// Client side: whether a stream can be opened now. Not after GOAWAY, not above the peer's limit of streams.
  bool can_open() const;
  /// Client side: whether the server takes extended CONNECT (RFC 8441).
  bool offers_extended_connect() const;
  Result<H2Inbox::StreamPtr> open(std::vector<Field> const& block, EndStream end);
  /// Server side: an interim head (status 1xx), or the final one.
  Result<void> submit_interim(H2StreamState& stream, std::vector<Field> const& block);
  Result<void> submit_response(H2StreamState& stream, std::vector<Field> const& block, EndStream end);
  /// stream.out.pending, last or trailers have something new.
  void resume(H2StreamState& stream);
  /// The reader took `bytes` of the body: as much may come again.
  void consume(H2StreamState& stream, std::size_t bytes);
  void reset(H2StreamState& stream, std::uint32_t code);
  /// The handle is gone. A stream that is not over is reset.
  void release(H2StreamState& stream);

 private:
  Error end_of_feed(Error why);

  H2Inbox inbox_;
  NgSession session_;
  Wakeup output_wanted_;
  std::string output_;
  bool ended_ = false;
};

}  // namespace sallyport::proxy
