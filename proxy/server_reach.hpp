#pragma once
// How a request that was allowed gets to its server: over a connection of an earlier request of the same client if it may, otherwise over
// one that is resolved, admitted and dialled for it. The verdict is in the log before either is returned. Thread: its worker's.

#include "proxy/http_connection.hpp"
#include "proxy/server_link.hpp"

#include <optional>

namespace sallyport::proxy {

class ServerReach {
 public:
  /// Of one request, whose verdict `record` will be; it can be sent in `protocols`. Lifetime: all outlive it.
  ServerReach(audit::EgressRequest const& record, HttpConnection& connection, SessionDeps const& deps, ServerProtocols protocols)
      : record_(record), connection_(connection), deps_(deps), needs_http1_(protocols == ServerProtocols::http1) {}

  /// `body` is the request's. recorded() says whether a refusal comes after the verdict.
  awaitable<Attempt<ServerLink>> reach(policies::AllowedTarget permit, UpstreamKey key, BodyKind body);
  /// Not over a connection that exists: when that failed.
  awaitable<Attempt<ServerLink>> reach_anew(policies::AllowedTarget permit, UpstreamKey key);

  /// The verdict is in the log, or could not be written.
  bool recorded() const { return recorded_; }
  /// Whether what reach() returned had served another request before.
  bool reused() const { return reused_; }

 private:
  /// To the server of a new connection.
  ServerProtocols offer() const { return needs_http1_ ? ServerProtocols::http1 : connection_.offer; }
  std::optional<ServerLink> take(UpstreamKey const& key, policies::AllowedTarget const& permit, BodyKind const& body, Endpoints& endpoints);
  awaitable<Attempt<Upstream>> dial_anew(policies::AllowedTarget permit, UrlScheme scheme);
  awaitable<Attempt<Endpoints>> endpoints_for(policies::AllowedTarget permit);
  awaitable<Attempt<Upstream>> connect(policies::AllowedTarget permit, Endpoints endpoints, Passage passage);
  ServerLink link_over(UpstreamKey key, Upstream upstream);

  audit::EgressRequest const& record_;
  HttpConnection& connection_;
  SessionDeps const& deps_;
  bool needs_http1_;
  bool recorded_ = false;
  bool reused_ = false;
};

}  // namespace sallyport::proxy
