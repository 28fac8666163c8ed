#include "tests/support/test_ca.hpp"

#include "base/defer.hpp"

#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/rand.h>
#include <openssl/x509v3.h>
#include <array>
#include <stdexcept>

namespace sallyport::test {

namespace {

void must(bool holds, char const* what) {
  if (!holds) throw std::runtime_error(std::string("OpenSSL: ") + what);
}

OpenSsl<EVP_PKEY> make_key() {
  OpenSsl<EVP_PKEY> key(EVP_EC_gen("P-256"));
  must(key != nullptr, "EVP_EC_gen");
  return key;
}

void add_extension(X509* certificate, X509* issuer, int nid, std::string const& value) {
  X509V3_CTX context;
  X509V3_set_ctx(&context, issuer, certificate, nullptr, nullptr, 0);
  X509_EXTENSION* extension = X509V3_EXT_conf_nid(nullptr, &context, nid, value.c_str());
  must(extension != nullptr, value.c_str());
  X509_add_ext(certificate, extension, -1);
  X509_EXTENSION_free(extension);
}

/// A certificate for `key`, valid around now, with a random serial number; not signed yet.
OpenSsl<X509> make_certificate(EVP_PKEY* key, std::string const& common_name) {
  OpenSsl<X509> certificate(X509_new());
  must(certificate != nullptr, "X509_new");
  std::uint32_t serial = 0;
  must(RAND_bytes(reinterpret_cast<unsigned char*>(&serial), sizeof serial) == 1, "RAND_bytes");
  X509_set_version(certificate.get(), X509_VERSION_3);
  ASN1_INTEGER_set_uint64(X509_get_serialNumber(certificate.get()), std::uint64_t{serial} + 1);
  X509_gmtime_adj(X509_getm_notBefore(certificate.get()), -3600);
  X509_gmtime_adj(X509_getm_notAfter(certificate.get()), 24 * 3600);
  X509_set_pubkey(certificate.get(), key);
  X509_NAME_add_entry_by_txt(X509_get_subject_name(certificate.get()), "CN", MBSTRING_UTF8,
                             reinterpret_cast<unsigned char const*>(common_name.c_str()), -1, -1, 0);
  return certificate;
}

std::string alternative_names(std::vector<std::string> const& names) {
  std::string text;
  for (auto const& name : names) text += (text.empty() ? "DNS:" : ",DNS:") + name;
  return text;
}

}  // namespace

TestCa::TestCa() : key_(make_key()), certificate_(make_certificate(key_.get(), "Sallyport test CA")) {
  X509_set_issuer_name(certificate_.get(), X509_get_subject_name(certificate_.get()));
  add_extension(certificate_.get(), certificate_.get(), NID_basic_constraints, "critical,CA:TRUE");
  add_extension(certificate_.get(), certificate_.get(), NID_key_usage, "critical,keyCertSign,cRLSign");
  add_extension(certificate_.get(), certificate_.get(), NID_subject_key_identifier, "hash");
  must(X509_sign(certificate_.get(), key_.get(), EVP_sha256()) > 0, "X509_sign");
}

std::string TestCa::pem() const {
  BIO* memory = BIO_new(BIO_s_mem());
  Defer release([&] { BIO_free(memory); });
  must(PEM_write_bio_X509(memory, certificate_.get()) == 1, "PEM_write_bio_X509");
  char* data = nullptr;
  auto const size = BIO_get_mem_data(memory, &data);
  return {data, static_cast<std::size_t>(size)};
}

OpenSsl<SSL_CTX> TestCa::server_context(std::vector<std::string> const& names) const {
  auto key = make_key();
  auto leaf = make_certificate(key.get(), names.front());
  X509_set_issuer_name(leaf.get(), X509_get_subject_name(certificate_.get()));
  add_extension(leaf.get(), certificate_.get(), NID_subject_alt_name, alternative_names(names));
  add_extension(leaf.get(), certificate_.get(), NID_ext_key_usage, "serverAuth");
  add_extension(leaf.get(), certificate_.get(), NID_authority_key_identifier, "keyid:always");
  must(X509_sign(leaf.get(), key_.get(), EVP_sha256()) > 0, "X509_sign");

  OpenSsl<SSL_CTX> context(SSL_CTX_new(TLS_server_method()));
  must(context != nullptr, "SSL_CTX_new");
  must(SSL_CTX_use_certificate(context.get(), leaf.get()) == 1, "SSL_CTX_use_certificate");
  must(SSL_CTX_use_PrivateKey(context.get(), key.get()) == 1, "SSL_CTX_use_PrivateKey");
  return context;
}

std::string sha256_hex(std::string const& bytes) {
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest;
  unsigned int size = 0;
  must(EVP_Digest(bytes.data(), bytes.size(), digest.data(), &size, EVP_sha256(), nullptr) == 1, "EVP_Digest");
  std::string text;
  for (unsigned int i = 0; i < size; ++i) {
    text += "0123456789abcdef"[digest[i] >> 4];
    text += "0123456789abcdef"[digest[i] & 15];
  }
  return text;
}

}  // namespace sallyport::test
