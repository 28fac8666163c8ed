#pragma once
// Message bodies of HTTP/1.1 connections: RFC 9112 sections 6 and 7. Chunks are written anew: their sizes and extensions are the
// sender's, and go no further.

#include "proxy/body_framing.hpp"
#include "proxy/message_body.hpp"
#include "proxy/stream.hpp"

#include <string>

namespace sallyport::proxy {

/// Lifetime: `from` outlives it.
class Http1BodySource final : public BodySource {
 public:
  Http1BodySource(Stream& from, BodyKind const& kind);

  awaitable<Result<BodyPiece>> read() override;
  bool is_ready() const override { return reader_.done() || !from_.buffered().empty(); }
  std::vector<Field> const& trailers() const override { return reader_.trailers(); }
  /// Everything was read: what comes next on the connection is another message.
  bool done() const { return reader_.done(); }
  std::uint64_t content_bytes() const { return reader_.content_bytes(); }

 private:
  Result<BodyPiece> take_buffered();

  Stream& from_;
  bool chunked_ = false;
  BodyReader reader_;
  std::string content_;  // of the chunks in one read
};

/// Lifetime: `to` outlives it.
class Http1BodySink final : public BodySink {
 public:
  Http1BodySink(Stream& to, BodyKind const& kind);

  awaitable<Result<void>> write(BodyPiece piece, std::vector<Field> const& trailers) override;
  /// Sends `head` together with the first piece.
  void lead_with(std::string head) { framed_ = std::move(head); }

 private:
  Stream& to_;
  bool chunked_ = false;
  std::string framed_;  // what goes with the next write, and then what the last one sent
};

}  // namespace sallyport::proxy
