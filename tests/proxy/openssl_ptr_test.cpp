#include "proxy/openssl_ptr.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <openssl/err.h>

namespace sallyport::proxy {
namespace {

TEST(OpenSslErrors, OldestIsTheTextAndTheQueueIsEmptyAfterwards) {
  start_openssl();
  SslContextPtr const context(SSL_CTX_new(TLS_method()));  // the first one loads the texts
  ERR_clear_error();
  ERR_raise(ERR_LIB_SSL, SSL_R_NO_SHARED_CIPHER);
  ERR_raise(ERR_LIB_SSL, SSL_R_BAD_LENGTH);
  EXPECT_EQ(openssl_error("x").what, "x: no shared cipher");
  EXPECT_EQ(ERR_peek_error(), 0U);
  EXPECT_EQ(openssl_error_text(), "no reason given");
}

}  // namespace
}  // namespace sallyport::proxy
