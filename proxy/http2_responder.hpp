#pragma once
// A request and its answer as one stream of an HTTP/2 connection. The connection stays as it is, whatever becomes of the stream.

#include "proxy/h2_server.hpp"
#include "proxy/http2_body.hpp"
#include "proxy/responder.hpp"

namespace sallyport::proxy {

/// Lifetime: `stream` outlives it.
class Http2Responder final : public Responder {
 public:
  explicit Http2Responder(H2ServerStream& stream) : stream_(stream), body_(stream) {}

  awaitable<Result<void>> inform(ResponseHead const& head) override;
  awaitable<Result<void>> respond(ResponseHead const& head, Next next, BodyComes body) override;
  BodySink& body() override { return body_; }
  void cut(std::optional<std::uint32_t> server_code) override;
  awaitable<void> wait_until_given_up(Activity const& activity) override;
  awaitable<void> refuse(RefusedRequest refused) override;
  awaitable<void> end(Next next) override;

 private:
  H2ServerStream& stream_;
  Http2BodySink body_;
};

}  // namespace sallyport::proxy
