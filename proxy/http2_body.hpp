#pragma once
// Message bodies of HTTP/2 streams. Source: RFC 9113 section 8.1.

#include "proxy/h2_stream.hpp"
#include "proxy/message_body.hpp"

namespace sallyport::proxy {

/// Lifetime: `stream` outlives it.
class Http2BodySource final : public BodySource {
 public:
  explicit Http2BodySource(H2Stream& stream) : stream_(stream) {}
  awaitable<Result<BodyPiece>> read() override;
  std::vector<Field> const& trailers() const override { return stream_.trailers(); }

 private:
  H2Stream& stream_;
};

/// Lifetime: `stream` outlives it. REQUIRES of a write: the head was sent, and did not end the stream unless end() was called.
class Http2BodySink final : public BodySink {
 public:
  explicit Http2BodySink(H2Stream& stream) : stream_(stream) {}
  awaitable<Result<void>> write(BodyPiece piece, std::vector<Field> const& trailers) override;

  /// The message has no body, and its end was sent with the head.
  void end() { ended_ = true; }
  /// The last frame of the message was given to the session.
  bool ended() const { return ended_; }

 private:
  H2Stream& stream_;
  bool ended_ = false;
};

}  // namespace sallyport::proxy
