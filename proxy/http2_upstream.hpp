#pragma once
// An HTTP/2 connection to a server, with the task that moves its bytes. The requests of one client's connection share it; each is a
// stream. Thread: its worker's. Source: RFC 9113.

#include "proxy/egress.hpp"
#include "proxy/h2_client.hpp"
#include "proxy/kept_upstream.hpp"

#include <memory>

namespace sallyport::proxy {

class Http2Upstream {
 public:
  /// `upstream` agreed on HTTP/2 in its handshake. The task ends with the connection: when the server closes, when a new policy does not
  /// allow what it leads to, or when this is gone and the last stream is over. Lifetime: `tasks` and `live` outlive the task.
  Http2Upstream(UpstreamKey key, Upstream upstream, TaskSet& tasks, LiveRequests& live);
  /// No new streams.
  ~Http2Upstream();
  Http2Upstream(Http2Upstream const&) = delete;
  Http2Upstream& operator=(Http2Upstream const&) = delete;

  UpstreamKey const& key() const { return link_->key; }
  std::optional<policies::IpAddress> const& address() const { return link_->upstream.address; }
  H2ClientConnection& connection() { return link_->http2; }

 private:
  /// Shared with the task.
  struct Link {
    Link(UpstreamKey to, Upstream over) : key(std::move(to)), upstream(std::move(over)) {}
    UpstreamKey const key;
    Upstream upstream;
    H2ClientConnection http2{upstream.stream, H2Limits::for_servers()};
  };
  static awaitable<void> run(std::shared_ptr<Link> link, LiveRequests& live);
  static awaitable<void> shut_down_when_revoked(Link& link, Activity& activity);

  std::shared_ptr<Link> link_;
};

}  // namespace sallyport::proxy
