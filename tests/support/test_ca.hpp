#pragma once
// A certificate authority made at run time, for servers on loopback that tests dial by name. Throws when OpenSSL refuses.

#include <openssl/ssl.h>
#include <memory>
#include <string>
#include <vector>

namespace sallyport::test {

struct OpenSslDelete {
  void operator()(SSL_CTX* context) const { SSL_CTX_free(context); }
  void operator()(EVP_PKEY* key) const { EVP_PKEY_free(key); }
  void operator()(X509* certificate) const { X509_free(certificate); }
};
template <class T>
using OpenSsl = std::unique_ptr<T, OpenSslDelete>;

class TestCa {
 public:
  TestCa();
  /// The root certificate, for `curl --cacert`.
  std::string pem() const;
  /// A server context whose certificate names `names`.
  OpenSsl<SSL_CTX> server_context(std::vector<std::string> const& names) const;

 private:
  OpenSsl<EVP_PKEY> key_;
  OpenSsl<X509> certificate_;
};

/// Lower-case hexadecimal SHA-256, as sha256sum prints it.
std::string sha256_hex(std::string const& bytes);

}  // namespace sallyport::test
