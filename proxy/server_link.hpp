#pragma once
// What one request goes to its server over: a connection of its own in HTTP/1.1, or a share of one in HTTP/2. Thread: its worker's.

#include "proxy/http2_upstream.hpp"
#include "proxy/requester.hpp"

#include <chrono>
#include <memory>
#include <optional>
#include <variant>

namespace sallyport::proxy {

class ServerLink {
 public:
  /// HTTP/1.1.
  explicit ServerLink(Upstream upstream) : connect_time_(upstream.connect_time), connection_(std::move(upstream)) {}
  /// HTTP/2. `connect_time` is zero unless this request dialled it.
  ServerLink(std::shared_ptr<Http2Upstream> upstream, std::chrono::microseconds connect_time)
      : connect_time_(connect_time), connection_(std::move(upstream)) {}

  bool speaks_http2() const { return std::holds_alternative<std::shared_ptr<Http2Upstream>>(connection_); }
  std::optional<policies::IpAddress> const& address() const;
  /// Whether an upstream proxy is asked in the server's place.
  bool is_forwarded() const;
  std::chrono::microseconds connect_time() const { return connect_time_; }
  /// For one request. Lifetime: this outlives it.
  std::unique_ptr<Requester> requester();
  /// Gives the connection away. REQUIRES: HTTP/1.1.
  Upstream take_http1() { return std::get<Upstream>(std::move(connection_)); }

 private:
  std::chrono::microseconds connect_time_;
  std::variant<Upstream, std::shared_ptr<Http2Upstream>> connection_;
};

}  // namespace sallyport::proxy
