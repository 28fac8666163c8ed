#pragma once
// Sends a request on an HTTP/1.1 connection, and asks the server to keep it. Source: RFC 9112.

#include "policies/upstream_proxy.hpp"
#include "proxy/http1_body.hpp"
#include "proxy/requester.hpp"
#include "proxy/stream.hpp"

#include <optional>
#include <string>

namespace sallyport::proxy {

/// Lifetime: `server` outlives it.
class Http1Requester final : public Requester {
 public:
  /// `forwarder`: the HTTP proxy that `server` leads to and that is asked in the server's place; null: the server itself. Outlives it.
  explicit Http1Requester(Stream& server, policies::UpstreamProxy const* forwarder = nullptr) : server_(server), forwarder_(forwarder) {}

  awaitable<Result<void>> request(RequestHead const& head, HttpTarget const& target) override;
  BodySink& body() override { return *sink_; }
  awaitable<Result<ResponseHead>> read_head() override;
  BodySource& response_body() override { return *source_; }
  After after() override;
  bool untouched() const override { return false; }
  std::optional<std::uint32_t> reset_code() const override { return std::nullopt; }

 private:
  void on_final_head(ResponseHead const& head);

  Stream& server_;
  policies::UpstreamProxy const* forwarder_;
  std::string method_;
  bool websocket_ = false;  // the request asks for one
  std::optional<Http1BodySink> sink_;
  std::optional<Http1BodySource> source_;
  After after_ = After::close;
};

}  // namespace sallyport::proxy
