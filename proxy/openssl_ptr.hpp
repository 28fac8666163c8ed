#pragma once
// Owners of OpenSSL objects, and how its errors read. Any thread.

#include "base/result.hpp"

#include <openssl/bio.h>
#include <openssl/evp.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>

#include <memory>
#include <string>

namespace sallyport::proxy {

template <auto kFree>
struct OpenSslFree {
  template <class T>
  void operator()(T* object) const {
    kFree(object);
  }
};
using X509Ptr = std::unique_ptr<X509, OpenSslFree<&X509_free>>;
using KeyPtr = std::unique_ptr<EVP_PKEY, OpenSslFree<&EVP_PKEY_free>>;
using BioPtr = std::unique_ptr<BIO, OpenSslFree<&BIO_free>>;
using SslPtr = std::unique_ptr<SSL, OpenSslFree<&SSL_free>>;
using SslContextPtr = std::unique_ptr<SSL_CTX, OpenSslFree<&SSL_CTX_free>>;
using SslSessionPtr = std::unique_ptr<SSL_SESSION, OpenSslFree<&SSL_SESSION_free>>;

/// The oldest error of this thread's queue as one line; empties the queue.
std::string openssl_error_text();
/// Code::invalid: "what: why".
Error openssl_error(std::string what);
/// Keeps OpenSSL from reading a configuration file: the gateway opens none, and nothing of the host's choice applies. Idempotent.
void start_openssl();

}  // namespace sallyport::proxy
