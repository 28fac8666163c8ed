#pragma once
// The side of TLS that clients see: answers for any name with a certificate of the session's authority. TLS 1.2 and 1.3, resumption
// with tickets whose key never leaves this process. Any thread. Lifetime: outlives the connections it began.

#include "policies/canonical_host.hpp"
#include "proxy/leaf_cache.hpp"

#include <mutex>
#include <optional>

namespace sallyport::proxy {

class ClientTls {
 public:
  /// Without an authority nothing can be answered for.
  explicit ClientTls(std::optional<SessionCa> ca) : available_(ca.has_value()), ca_(std::move(ca)) {}
  ClientTls(ClientTls const&) = delete;
  ClientTls& operator=(ClientTls const&) = delete;

  bool available() const { return available_; }
  /// The server's side of a connection in which the client asks for `host`. What is costly is made at the first call.
  Result<SslPtr> accept(policies::CanonicalHost const& host);

 private:
  Result<void> prepare();

  bool const available_;
  std::mutex mutex_;  // of all below
  std::optional<SessionCa> ca_;  // until it is first used
  std::optional<LeafCache> leaves_;
  SslContextPtr context_;
};

}  // namespace sallyport::proxy
