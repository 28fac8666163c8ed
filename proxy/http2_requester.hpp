#pragma once
// Sends a request as one stream of an HTTP/2 connection. Destroying it cancels a stream that is not over.

#include "proxy/http2_body.hpp"
#include "proxy/http2_upstream.hpp"
#include "proxy/requester.hpp"

#include <memory>
#include <optional>

namespace sallyport::proxy {

class Http2Requester final : public Requester {
 public:
  explicit Http2Requester(std::shared_ptr<Http2Upstream> server) : server_(std::move(server)) {}

  awaitable<Result<void>> request(RequestHead const& head, HttpTarget const& target) override;
  BodySink& body() override { return *sink_; }
  awaitable<Result<ResponseHead>> read_head() override;
  BodySource& response_body() override { return *source_; }
  After after() override { return After::reusable; }
  bool untouched() const override { return !stream_ || stream_->refused(); }
  std::optional<std::uint32_t> reset_code() const override;

 private:
  std::shared_ptr<Http2Upstream> server_;
  std::optional<H2ClientStream> stream_;
  std::optional<Http2BodySink> sink_;
  std::optional<Http2BodySource> source_;
  int minor_version_ = 1;  // of the client
};

}  // namespace sallyport::proxy
