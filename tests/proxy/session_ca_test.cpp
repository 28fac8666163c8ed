#include "proxy/session_ca.hpp"

#include "proxy/certificate.hpp"

#include <gtest/gtest.h>

#include <openssl/x509v3.h>

namespace sallyport::proxy {
namespace {

TEST(SessionCa, IsAnAuthorityWithANameAndAKeyOfItsOwn) {
  auto const now = std::chrono::system_clock::now();
  auto const one = make_session_ca(now).value();
  auto const two = make_session_ca(now).value();
  auto const certificate = certificate_from_pem(one.certificate).value();
  auto const other = certificate_from_pem(two.certificate).value();
  EXPECT_EQ(X509_check_ca(certificate.get()), 1);
  EXPECT_EQ(X509_get_key_usage(certificate.get()), static_cast<std::uint32_t>(KU_KEY_CERT_SIGN | KU_CRL_SIGN));
  EXPECT_NE(X509_NAME_cmp(X509_get_subject_name(certificate.get()), X509_get_subject_name(other.get())), 0);
  auto const* der = one.key.bytes().data();
  KeyPtr const key(d2i_AutoPrivateKey(nullptr, &der, static_cast<long>(one.key.bytes().size())));
  EXPECT_EQ(X509_check_private_key(certificate.get(), key.get()), 1);
  EXPECT_NE(X509_check_private_key(other.get(), key.get()), 1);
}

}  // namespace
}  // namespace sallyport::proxy
