// What OpenSSL reads as a certificate has the subject that we find in it, and is found again by it in a bundle.

#include "base/check.hpp"
#include "proxy/root_index.hpp"

#include <openssl/err.h>

#include <cstdint>
#include <string>
#include <vector>

namespace {

using namespace sallyport;
using namespace sallyport::proxy;

std::string der_of(X509_NAME* name) {
  unsigned char* bytes = nullptr;
  int const size = i2d_X509_NAME(name, &bytes);
  std::string der(reinterpret_cast<char const*>(bytes), size > 0 ? static_cast<std::size_t>(size) : 0);
  OPENSSL_free(bytes);
  return der;
}

/// With `text` around it, as bundles have it.
std::string bundle_of(std::string_view der, std::string_view text) {
  std::vector<unsigned char> base64(4 * ((der.size() + 2) / 3) + 1);
  int const size = EVP_EncodeBlock(base64.data(), reinterpret_cast<unsigned char const*>(der.data()), static_cast<int>(der.size()));
  return std::string(text) + "\n-----BEGIN CERTIFICATE-----\n" + std::string(base64.begin(), base64.begin() + size) +
         "\n-----END CERTIFICATE-----\n" + std::string(text);
}

void check_bundle(std::string_view bytes) {
  RootIndex roots;
  auto const added = roots.add(bytes);
  check(roots.size() == added, "each that was taken is there");
  check(roots.take_all().size() <= added, "no more certificates than were taken");
}

void check_found(std::string_view der, std::string const& subject) {
  RootIndex roots;
  check(roots.add(bundle_of(der, "a root")) == 1, "a certificate is taken out of its bundle");
  auto const found = roots.with_subject(subject);
  check(found.size() == 1 && der_of(X509_get_subject_name(found.front().get())) == subject, "and found by its subject");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
  std::string_view const input(reinterpret_cast<char const*>(data), size);
  check_bundle(input);
  auto const ours = std::string(subject_of(input));
  auto const* at = data;
  X509Ptr const certificate(d2i_X509(nullptr, &at, static_cast<long>(size)));
  ERR_clear_error();
  if (!certificate || ours.empty()) return 0;  // OpenSSL also reads BER, which no authority writes
  check(ours == der_of(X509_get_subject_name(certificate.get())), "the subject that OpenSSL finds");
  check_found(input.substr(0, static_cast<std::size_t>(at - data)), ours);
  return 0;
}
