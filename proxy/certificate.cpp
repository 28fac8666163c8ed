#include "proxy/certificate.hpp"

#include <openssl/bn.h>
#include <openssl/pem.h>
#include <openssl/rand.h>
#include <openssl/x509v3.h>

#include <array>

namespace sallyport::proxy {
namespace {

constexpr std::size_t kMaxCommonName = 64;  // RFC 5280 appendix A.1, ub-common-name
constexpr char kOrganization[] = "Sallyport";

bool add_name(X509_NAME* name, char const* field, std::string const& value) {
  auto const* bytes = reinterpret_cast<unsigned char const*>(value.data());
  return X509_NAME_add_entry_by_txt(name, field, MBSTRING_UTF8, bytes, static_cast<int>(value.size()), -1, 0) == 1;
}

bool set_subject(X509* certificate, std::string const& common_name) {
  auto* const subject = X509_get_subject_name(certificate);
  if (!add_name(subject, "O", kOrganization)) return false;
  if (common_name.empty() || common_name.size() > kMaxCommonName) return true;
  return add_name(subject, "CN", common_name);
}

bool set_serial(X509* certificate) {
  std::array<unsigned char, 16> bytes{};
  if (RAND_bytes(bytes.data(), static_cast<int>(bytes.size())) != 1) return false;
  bytes[0] = static_cast<unsigned char>((bytes[0] & 0x3f) | 0x40);  // positive, and never short
  std::unique_ptr<BIGNUM, OpenSslFree<&BN_free>> const number(BN_bin2bn(bytes.data(), static_cast<int>(bytes.size()), nullptr));
  return number != nullptr && BN_to_ASN1_INTEGER(number.get(), X509_get_serialNumber(certificate)) != nullptr;
}

bool set_validity(X509* certificate, CertificateRequest const& request) {
  auto const set = [](ASN1_TIME* time, std::chrono::system_clock::time_point at) {
    return ASN1_TIME_set(time, std::chrono::system_clock::to_time_t(at)) != nullptr;
  };
  return set(X509_getm_notBefore(certificate), request.not_before) && set(X509_getm_notAfter(certificate), request.not_after);
}

bool add_extensions(X509* certificate, X509* issuer, std::vector<CertificateExtension> const& extensions) {
  X509V3_CTX context;
  X509V3_set_ctx(&context, issuer, certificate, nullptr, nullptr, 0);
  for (auto const& [nid, value] : extensions) {
    std::unique_ptr<X509_EXTENSION, OpenSslFree<&X509_EXTENSION_free>> const extension(
        X509V3_EXT_conf_nid(nullptr, &context, nid, value.c_str()));
    if (!extension || X509_add_ext(certificate, extension.get(), -1) != 1) return false;
  }
  return true;
}

}  // namespace

Result<X509Ptr> make_certificate(CertificateRequest const& request, EVP_PKEY* key, CertificateIssuer const& issuer) {
  X509Ptr certificate(X509_new());
  bool const filled = certificate && X509_set_version(certificate.get(), X509_VERSION_3) == 1 && set_serial(certificate.get()) &&
                      set_validity(certificate.get(), request) && set_subject(certificate.get(), request.common_name) &&
                      X509_set_pubkey(certificate.get(), key) == 1;
  if (!filled) return openssl_error("making a certificate");
  auto* const signer = issuer.certificate != nullptr ? issuer.certificate : certificate.get();
  bool const complete = X509_set_issuer_name(certificate.get(), X509_get_subject_name(signer)) == 1 &&
                        add_extensions(certificate.get(), signer, request.extensions) &&
                        X509_sign(certificate.get(), issuer.key, EVP_sha256()) > 0;
  if (!complete) return openssl_error("signing a certificate");
  return certificate;
}

Result<KeyPtr> make_key() {
  KeyPtr key(EVP_EC_gen("P-256"));
  if (!key) return openssl_error("making a key");
  return key;
}

std::string to_pem(X509* certificate) {
  BioPtr const memory(BIO_new(BIO_s_mem()));
  if (!memory || PEM_write_bio_X509(memory.get(), certificate) != 1) return {};
  char* data = nullptr;
  auto const size = BIO_get_mem_data(memory.get(), &data);
  return {data, static_cast<std::size_t>(size)};
}

Result<X509Ptr> certificate_from_pem(std::string const& pem) {
  BioPtr const memory(BIO_new_mem_buf(pem.data(), static_cast<int>(pem.size())));
  X509Ptr certificate(memory ? PEM_read_bio_X509(memory.get(), nullptr, nullptr, nullptr) : nullptr);
  if (!certificate) return openssl_error("reading a certificate");
  return certificate;
}

}  // namespace sallyport::proxy
