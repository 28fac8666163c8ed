#pragma once
// What every certificate of ours has in common. Any thread; no I/O. Source: RFC 5280 section 4.

#include "proxy/openssl_ptr.hpp"

#include <chrono>
#include <string>
#include <vector>

namespace sallyport::proxy {

struct CertificateExtension {
  int nid;
  std::string value;  // in the words of x509v3_config(5)
};

struct CertificateRequest {
  std::string common_name;   // empty: the subject is only "O=Sallyport"
  std::chrono::system_clock::time_point not_before;
  std::chrono::system_clock::time_point not_after;
  std::vector<CertificateExtension> extensions;
};

/// Who signs. Both outlive the call; `certificate` is null for one that signs itself.
struct CertificateIssuer {
  X509* certificate = nullptr;
  EVP_PKEY* key = nullptr;
};

/// A version 3 certificate for `key` with a random serial number of 127 bits, signed with SHA-256.
Result<X509Ptr> make_certificate(CertificateRequest const& request, EVP_PKEY* key, CertificateIssuer const& issuer);

/// A fresh P-256 key.
Result<KeyPtr> make_key();
std::string to_pem(X509* certificate);
Result<X509Ptr> certificate_from_pem(std::string const& pem);

}  // namespace sallyport::proxy
