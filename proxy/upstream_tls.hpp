#pragma once
// The side of TLS that servers see: every certificate is verified against the system's roots and the operator's own, and must name the
// host. TLS 1.2 and 1.3; sessions are resumed per host and port. Thread: its worker's. Lifetime: outlives the connections it began.

#include "base/unique_fd.hpp"
#include "policies/canonical_host.hpp"
#include "proxy/refusal.hpp"
#include "proxy/root_index.hpp"
#include "proxy/tls_layer.hpp"
#include "proxy/tls_protocols.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace sallyport::proxy {

/// Whom to trust. The file is opened while files can be opened, and read when the first server is dialled.
struct TrustSources {
  std::optional<UniqueFd> system_roots;
  std::string ca_bundle;  // PEM; the operator's own, in addition
};
/// The system's bundle, at the first of the usual places; nothing when there is none.
std::optional<UniqueFd> open_system_roots();

class UpstreamTls {
 public:
  explicit UpstreamTls(TrustSources sources) : sources_(std::move(sources)) {}
  UpstreamTls(UpstreamTls const&) = delete;
  UpstreamTls& operator=(UpstreamTls const&) = delete;

  /// The client's side of a connection to `host`, verified in its handshake. What is costly is made at the first call.
  Result<SslPtr> connect(policies::CanonicalHost const& host, std::uint16_t port, ServerProtocols offer);

 private:
  Result<void> prepare();
  static int keep_session(SSL* ssl, SSL_SESSION* session);
  SslSessionPtr take_session(std::string const& server);

  TrustSources sources_;
  RootIndex roots_;
  SslContextPtr context_;
  std::unordered_map<std::string, std::vector<SslSessionPtr>> sessions_;  // by "host:port", the newest last
};

/// Why the handshake with `host` failed: 502, with a reason of its own for each way a certificate can be wrong.
Refusal upstream_tls_refusal(TlsLayer const& layer, policies::CanonicalHost const& host, Error const& error);

}  // namespace sallyport::proxy
