#include "proxy/root_index.hpp"

#include "tests/proxy/tls_peer.hpp"

#include <gtest/gtest.h>

#include <string>

namespace sallyport::proxy {
namespace {

using tests::TestAuthority;

std::string subject_der(X509* certificate) {
  unsigned char const* bytes = nullptr;
  std::size_t size = 0;
  X509_NAME_get0_der(X509_get_subject_name(certificate), &bytes, &size);
  return {reinterpret_cast<char const*>(bytes), size};
}

std::string der_of(X509* certificate) {
  unsigned char* bytes = nullptr;
  int const size = i2d_X509(certificate, &bytes);
  std::string der(reinterpret_cast<char*>(bytes), static_cast<std::size_t>(size));
  OPENSSL_free(bytes);
  return der;
}

TEST(RootIndex, FindsEachRootByItsSubjectAsOpenSslReadsIt) {
  TestAuthority const one("One"), two("Two");
  RootIndex roots;
  EXPECT_EQ(roots.add("# some text\n" + one.pem() + "more\n" + two.pem()), 2U);
  for (auto const* authority : {&one, &two}) {
    auto const certificate = certificate_from_pem(authority->pem()).value();
    EXPECT_EQ(subject_of(der_of(certificate.get())), subject_der(certificate.get()));
    auto const found = roots.with_subject(subject_der(certificate.get()));
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(X509_cmp(found[0].get(), certificate.get()), 0);
  }
  EXPECT_TRUE(roots.with_subject("nobody").empty());
}

TEST(RootIndex, AllAreGivenOnce) {
  RootIndex roots;
  roots.add(TestAuthority().pem());
  EXPECT_EQ(roots.take_all().size(), 1U);
  EXPECT_TRUE(roots.take_all().empty());
}

TEST(RootIndex, BrokenBundlesGiveNothing) {
  auto const pem = TestAuthority().pem();
  RootIndex roots;
  EXPECT_EQ(roots.add(""), 0U);
  EXPECT_EQ(roots.add(pem.substr(0, pem.size() / 2)), 0U);
  EXPECT_EQ(roots.add("-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n"), 0U);
  auto const der = der_of(certificate_from_pem(pem).value().get());
  for (std::size_t cut = 0; cut < der.size(); ++cut) static_cast<void>(subject_of(std::string_view(der).substr(0, cut)));
}

}  // namespace
}  // namespace sallyport::proxy
