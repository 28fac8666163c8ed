#pragma once
// Answers on an HTTP/1.1 connection.

#include "base/limits.hpp"
#include "proxy/http1_body.hpp"
#include "proxy/responder.hpp"
#include "proxy/stream.hpp"

#include <chrono>
#include <optional>

namespace sallyport::proxy {

/// With a client that sends no more: how often it is looked, and when it is gone if nothing moved.
struct GonePatience {
  std::chrono::milliseconds check = limits::kGoneCheck;
  std::chrono::milliseconds timeout = limits::kGoneTimeout;
};

/// Lifetime: `client` outlives it. `minor_version` is the request's.
class Http1Responder final : public Responder {
 public:
  Http1Responder(Stream& client, int minor_version, GonePatience patience = {})
      : client_(client), minor_version_(minor_version), patience_(patience) {}

  awaitable<Result<void>> inform(ResponseHead const& head) override;
  awaitable<Result<void>> respond(ResponseHead const& head, Next next, BodyComes body) override;
  BodySink& body() override { return *body_; }
  void cut(std::optional<std::uint32_t>) override { client_.reset(); }
  awaitable<void> wait_until_given_up(Activity const& activity) override;
  awaitable<void> refuse(RefusedRequest refused) override;
  awaitable<void> end(Next next) override;

 private:
  Stream& client_;
  int minor_version_;
  GonePatience patience_;
  std::optional<Http1BodySink> body_;
};

}  // namespace sallyport::proxy
