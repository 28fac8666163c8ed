#include "proxy/certificate.hpp"

#include <gtest/gtest.h>

#include <openssl/x509v3.h>

#include <string>

namespace sallyport::proxy {
namespace {

using std::chrono::hours;
using std::chrono::system_clock;

CertificateRequest request_of(std::string name) {
  return {std::move(name), system_clock::now() - hours(1), system_clock::now() + hours(1), {{NID_basic_constraints, "critical,CA:FALSE"}}};
}

TEST(Certificates, SerialsAreRandomAndPemIsReadBack) {
  auto const key = make_key().value();
  auto const one = make_certificate(request_of("a.example"), key.get(), {nullptr, key.get()}).value();
  auto const two = make_certificate(request_of("a.example"), key.get(), {nullptr, key.get()}).value();
  EXPECT_NE(ASN1_INTEGER_cmp(X509_get0_serialNumber(one.get()), X509_get0_serialNumber(two.get())), 0);
  EXPECT_EQ(X509_cmp(certificate_from_pem(to_pem(one.get())).value().get(), one.get()), 0);
  EXPECT_EQ(X509_verify(one.get(), key.get()), 1);
}

TEST(Certificates, NameThatIsTooLongForTheSubjectIsLeftOut) {
  auto const key = make_key().value();
  auto const certificate = make_certificate(request_of(std::string(200, 'a')), key.get(), {nullptr, key.get()}).value();
  EXPECT_EQ(X509_NAME_get_index_by_NID(X509_get_subject_name(certificate.get()), NID_commonName, -1), -1);
}

TEST(Certificates, WhatIsNoCertificateIsAnError) {
  EXPECT_FALSE(certificate_from_pem("nonsense"));
  auto const key = make_key().value();
  auto request = request_of("a.example");
  request.extensions.push_back({NID_subject_alt_name, "nonsense"});
  EXPECT_FALSE(make_certificate(request, key.get(), {nullptr, key.get()}));
}

}  // namespace
}  // namespace sallyport::proxy
