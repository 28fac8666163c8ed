#include "proxy/session_ca.hpp"

#include "base/defer.hpp"
#include "base/limits.hpp"
#include "proxy/certificate.hpp"

#include <openssl/rand.h>
#include <openssl/x509v3.h>

#include <array>
#include <cstdint>
#include <cstdio>

namespace sallyport::proxy {
namespace {

/// Two sessions are two authorities: a client that saw both does not confuse them.
std::string name_of_its_own() {
  std::array<unsigned char, 4> bytes{};
  RAND_bytes(bytes.data(), static_cast<int>(bytes.size()));
  char text[9];
  std::snprintf(text, sizeof text, "%02x%02x%02x%02x", bytes[0], bytes[1], bytes[2], bytes[3]);
  return std::string("Sallyport session CA ") + text;
}

Result<SecretPage> secret_of(EVP_PKEY* key) {
  unsigned char* der = nullptr;
  int const size = i2d_PrivateKey(key, &der);
  if (size <= 0) return openssl_error("writing a key");
  Defer const wipe([&] { OPENSSL_clear_free(der, static_cast<std::size_t>(size)); });
  return SecretPage::holding({der, static_cast<std::size_t>(size)});
}

}  // namespace

Result<SessionCa> make_session_ca(std::chrono::system_clock::time_point now) {
  start_openssl();
  auto key = make_key();
  if (!key) return key.error();
  CertificateRequest request;
  request.common_name = name_of_its_own();
  request.not_before = now - limits::kCertificateBackdate;
  request.not_after = now + limits::kCaLifetime;
  request.extensions = {{NID_basic_constraints, "critical,CA:TRUE"},
                        {NID_key_usage, "critical,keyCertSign,cRLSign"},
                        {NID_subject_key_identifier, "hash"}};
  auto certificate = make_certificate(request, key->get(), {nullptr, key->get()});
  if (!certificate) return certificate.error();
  auto secret = secret_of(key->get());
  if (!secret) return secret.error();
  return SessionCa{to_pem(certificate->get()), std::move(*secret)};
}

}  // namespace sallyport::proxy
