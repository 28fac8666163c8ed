#include "proxy/leaf_cache.hpp"

#include "base/limits.hpp"

#include <openssl/x509v3.h>

namespace sallyport::proxy {
namespace {

/// RFC 5280 section 4.2.1.6: a subject alternative name for what the client dialled.
std::string alternative_name(policies::CanonicalHost const& host) {
  return host.is_address() ? "IP:" + host.address()->to_string() : "DNS:" + host.str();
}

}  // namespace

Result<LeafCache> LeafCache::make(SessionCa ca) {
  auto certificate = certificate_from_pem(ca.certificate);
  if (!certificate) return certificate.error();
  auto const der = ca.key.bytes();
  auto const* at = der.data();
  KeyPtr ca_key(d2i_AutoPrivateKey(nullptr, &at, static_cast<long>(der.size())));
  ca.key.wipe();
  if (!ca_key) return openssl_error("reading the session's key");
  auto key = make_key();
  if (!key) return key.error();
  return LeafCache(std::move(*certificate), std::move(ca_key), std::move(*key));
}

Result<X509Ptr> LeafCache::issue(policies::CanonicalHost const& host, std::chrono::system_clock::time_point now) const {
  CertificateRequest request;
  request.common_name = host.str();
  request.not_before = now - limits::kCertificateBackdate;
  request.not_after = now + limits::kLeafLifetime;
  request.extensions = {{NID_basic_constraints, "critical,CA:FALSE"},
                        {NID_key_usage, "critical,digitalSignature"},
                        {NID_ext_key_usage, "serverAuth"},
                        {NID_subject_key_identifier, "hash"},
                        {NID_authority_key_identifier, "keyid:always"},
                        {NID_subject_alt_name, alternative_name(host)}};
  return make_certificate(request, key_.get(), {ca_.get(), ca_key_.get()});
}

Result<X509*> LeafCache::certificate_for(policies::CanonicalHost const& host, std::chrono::system_clock::time_point now) {
  auto const known = by_host_.find(host.str());
  if (known != by_host_.end() && now < known->second->renew_at) {
    leaves_.splice(leaves_.begin(), leaves_, known->second);
    return leaves_.front().certificate.get();
  }
  auto certificate = issue(host, now);
  if (!certificate) return certificate.error();
  if (known != by_host_.end()) {
    leaves_.erase(known->second);
    by_host_.erase(known);
  }
  leaves_.push_front(Leaf{host.str(), std::move(*certificate), now + limits::kLeafLifetime / 2});
  by_host_[host.str()] = leaves_.begin();
  if (leaves_.size() > limits::kMaxLeafCertificates) {
    by_host_.erase(leaves_.back().host);
    leaves_.pop_back();
  }
  return leaves_.front().certificate.get();
}

}  // namespace sallyport::proxy
