#pragma once
// The body of a message on its way through the gateway: where its content comes from, and where it goes. Framing stays behind these
// two: content is what HTTP/1.1 and HTTP/2 have in common (RFC 9110 section 6.4), before any content coding is undone.
// Thread: its worker's. One call at a time.

#include "base/asio.hpp"
#include "base/result.hpp"
#include "proxy/request_head.hpp"

#include <string_view>
#include <vector>

namespace sallyport::proxy {

struct BodyPiece {
  std::string_view content;  // may be empty: something moved, and there is nothing to send on yet
  bool last = false;         // nothing comes behind it
};

class BodySource {
 public:
  virtual ~BodySource() = default;
  /// The next piece; its content is valid until the next call. Nothing may be read behind the last one.
  /// Code::closed when the other side went away, Code::denied when what is left must not go on.
  virtual awaitable<Result<BodyPiece>> read() = 0;
  /// Whether read() returns without waiting for the other side; false when that is not known.
  virtual bool is_ready() const { return false; }
  /// Fields behind the body, once the last piece was read.
  virtual std::vector<Field> const& trailers() const = 0;
};

class BodySink {
 public:
  virtual ~BodySink() = default;
  /// Returns when the other side has room for more. `trailers` are sent behind the last piece where its framing can.
  virtual awaitable<Result<void>> write(BodyPiece piece, std::vector<Field> const& trailers) = 0;
};

}  // namespace sallyport::proxy
