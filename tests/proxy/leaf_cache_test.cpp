#include "proxy/leaf_cache.hpp"

#include "base/limits.hpp"

#include <gtest/gtest.h>

#include <openssl/x509v3.h>

#include <string>

namespace sallyport::proxy {
namespace {

using policies::CanonicalHost;
using std::chrono::system_clock;
using StorePtr = std::unique_ptr<X509_STORE, OpenSslFree<&X509_STORE_free>>;
using StoreContextPtr = std::unique_ptr<X509_STORE_CTX, OpenSslFree<&X509_STORE_CTX_free>>;

CanonicalHost host(std::string const& name) { return CanonicalHost::from(name).value(); }

struct Session {
  SessionCa ca = make_session_ca(system_clock::now()).value();
  X509Ptr authority = certificate_from_pem(ca.certificate).value();
  LeafCache leaves = LeafCache::make(std::move(ca)).value();
};

/// What Python 3.13 and others ask for: every rule of RFC 5280 that OpenSSL knows.
int verify_strictly(X509* leaf, X509* authority) {
  StorePtr const store(X509_STORE_new());
  X509_STORE_add_cert(store.get(), authority);
  StoreContextPtr const context(X509_STORE_CTX_new());
  X509_STORE_CTX_init(context.get(), store.get(), leaf, nullptr);
  X509_STORE_CTX_set_flags(context.get(), X509_V_FLAG_X509_STRICT | X509_V_FLAG_CHECK_SS_SIGNATURE);
  X509_STORE_CTX_set_purpose(context.get(), X509_PURPOSE_SSL_SERVER);
  X509_verify_cert(context.get());
  return X509_STORE_CTX_get_error(context.get());
}

TEST(LeafCache, LeavesPassStrictVerification) {
  Session session;
  for (std::string const name : {"a.example", "xn--bcher-kva.example", "under_score.example", "192.0.2.1", "2001:db8::1"}) {
    SCOPED_TRACE(name);
    auto* const leaf = session.leaves.certificate_for(host(name), system_clock::now()).value();
    EXPECT_EQ(verify_strictly(leaf, session.authority.get()), X509_V_OK);
    bool const is_address = host(name).is_address();
    auto const as_host = X509_check_host(leaf, name.data(), name.size(), X509_CHECK_FLAG_NEVER_CHECK_SUBJECT, nullptr);
    EXPECT_EQ(is_address ? X509_check_ip_asc(leaf, name.c_str(), 0) : as_host, 1);
  }
  std::string const longest = std::string(60, 'a') + "." + std::string(60, 'b') + "." + std::string(60, 'c') + ".example";
  auto* const leaf = session.leaves.certificate_for(host(longest), system_clock::now()).value();
  EXPECT_EQ(verify_strictly(leaf, session.authority.get()), X509_V_OK);
}

TEST(LeafCache, IsKeptAndRenewedWhenHalfItsLifeIsOver) {
  Session session;
  auto const now = system_clock::now();
  auto* const first = session.leaves.certificate_for(host("a.example"), now).value();
  EXPECT_EQ(session.leaves.certificate_for(host("a.example"), now + std::chrono::hours(1)).value(), first);
  X509_up_ref(first);
  X509Ptr const keep(first);
  EXPECT_NE(session.leaves.certificate_for(host("a.example"), now + limits::kLeafLifetime / 2).value(), first);
  EXPECT_EQ(session.leaves.size(), 1U);
}

TEST(LeafCache, HoldsSoManyAndForgetsTheOldest) {
  Session session;
  auto const now = system_clock::now();
  for (std::size_t i = 0; i <= limits::kMaxLeafCertificates; ++i) {
    ASSERT_TRUE(session.leaves.certificate_for(host("h" + std::to_string(i) + ".example"), now));
    ASSERT_TRUE(session.leaves.certificate_for(host("h0.example"), now));
  }
  EXPECT_EQ(session.leaves.size(), limits::kMaxLeafCertificates);
}

}  // namespace
}  // namespace sallyport::proxy
