#include "proxy/proxy_authorization.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace sallyport::proxy {
namespace {

std::string authorization(std::string const& url) {
  return basic_authorization(policies::parse_upstream_proxy(url).value());
}

TEST(ProxyAuthorization, IsUserAndPasswordInBase64) {
  EXPECT_EQ(authorization("http://me:hunter2@p:1"), "Basic bWU6aHVudGVyMg==");
  EXPECT_EQ(authorization("http://me@p:1"), "Basic bWU6");
  EXPECT_EQ(authorization("http://p:1"), "");
}

TEST(ProxyAuthorization, RefusalQuotesTheProxyAndSaysWhatToDoAboutAPassword) {
  EXPECT_EQ(proxy_refusal(403, "No\x1b[m"), "it answered 403 'No\\x1b[m'");
  EXPECT_THAT(proxy_refusal(407, "Who"), testing::HasSubstr("--upstream-proxy"));
}

}  // namespace
}  // namespace sallyport::proxy
