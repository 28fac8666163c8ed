#pragma once
// A request and its answer as one stream of an HTTP/2 connection. The connection stays as it is, whatever becomes of the stream.

#include "proxy/h2_server.hpp"
#include "proxy/responder.hpp"

namespace sallyport::proxy {

/// Lifetime: `stream` outlives it.
class Http2BodySource final : public BodySource {
 public:
  explicit Http2BodySource(H2ServerStream& stream) : stream_(stream) {}
  awaitable<Result<BodyPiece>> read() override;
  std::vector<Field> const& trailers() const override { return stream_.trailers(); }

 private:
  H2ServerStream& stream_;
};

/// Lifetime: `stream` outlives it.
class Http2Responder final : public Responder, private BodySink {
 public:
  explicit Http2Responder(H2ServerStream& stream) : stream_(stream) {}

  awaitable<Result<void>> inform(ResponseHead const& head) override;
  awaitable<Result<void>> respond(ResponseHead const& head, Next next) override;
  BodySink& body() override { return *this; }
  void cut() override;
  awaitable<void> wait_until_given_up() override;
  awaitable<void> refuse(RefusedRequest refused) override;
  awaitable<void> end(Next next) override;

 private:
  awaitable<Result<void>> write(BodyPiece piece, std::vector<Field> const& trailers) override;

  H2ServerStream& stream_;
  bool ended_ = false;  // the last frame of the response was given to the session
};

}  // namespace sallyport::proxy
