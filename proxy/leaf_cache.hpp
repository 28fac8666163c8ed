#pragma once
// Certificates for the names the gateway answers for, made when first asked for and kept for a while. No I/O.
// Thread: its worker's.

#include "policies/canonical_host.hpp"
#include "proxy/certificate.hpp"
#include "proxy/session_ca.hpp"

#include <chrono>
#include <list>
#include <string>
#include <unordered_map>

namespace sallyport::proxy {

class LeafCache {
 public:
  /// Takes the authority's key and wipes its page.
  static Result<LeafCache> make(SessionCa ca);

  /// A certificate for `host`, a name or an address, valid for limits::kLeafLifetime and renewed when half of it is over. It lives as
  /// long as the caller holds a reference of its own (SSL_use_certificate() takes one). The least recently used one of more than
  /// limits::kMaxLeafCertificates goes.
  Result<X509*> certificate_for(policies::CanonicalHost const& host, std::chrono::system_clock::time_point now);
  /// One key for all of them: whoever had one of this session's keys would have them all.
  EVP_PKEY* key() const { return key_.get(); }
  std::size_t size() const { return leaves_.size(); }

 private:
  struct Leaf {
    std::string host;
    X509Ptr certificate;
    std::chrono::system_clock::time_point renew_at;
  };
  LeafCache(X509Ptr ca, KeyPtr ca_key, KeyPtr key) : ca_(std::move(ca)), ca_key_(std::move(ca_key)), key_(std::move(key)) {}
  Result<X509Ptr> issue(policies::CanonicalHost const& host, std::chrono::system_clock::time_point now) const;

  X509Ptr ca_;
  KeyPtr ca_key_;
  KeyPtr key_;
  std::list<Leaf> leaves_;  // the most recently used first
  std::unordered_map<std::string, std::list<Leaf>::iterator> by_host_;
};

}  // namespace sallyport::proxy
