#include "policies/upstream_proxy.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace sallyport::policies {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(ParseUpstreamProxy, ReadsSchemeHostPortAndCredentials) {
  auto const proxy = parse_upstream_proxy("http://me:p%40ss%3Aword@Proxy.Corp.example:3128/").value();
  EXPECT_EQ(proxy.kind, UpstreamProxyKind::http);
  EXPECT_EQ(proxy.host.str(), "proxy.corp.example");
  EXPECT_EQ(proxy.port, 3128);
  EXPECT_EQ(proxy.user, "me");
  EXPECT_EQ(proxy.password, "p@ss:word");
  EXPECT_EQ(to_string(proxy), "http://proxy.corp.example:3128");
}

TEST(ParseUpstreamProxy, SchemeSaysWhoLooksNamesUp) {
  EXPECT_TRUE(parse_upstream_proxy("http://p:1")->looks_up_names);
  EXPECT_TRUE(parse_upstream_proxy("https://p:1")->looks_up_names);
  EXPECT_TRUE(parse_upstream_proxy("socks5h://p:1")->looks_up_names);
  EXPECT_FALSE(parse_upstream_proxy("socks5://p:1")->looks_up_names);
  for (auto const* text : {"http://p:1", "https://[::1]:8443", "socks5://p:1", "socks5h://10.0.0.1:1080"}) {
    EXPECT_EQ(to_string(parse_upstream_proxy(text).value()), text);
  }
}

TEST(ParseUpstreamProxy, ErrorsSayWhatToWriteAndNeverHoldThePassword) {
  for (auto const* text :
       {"", "proxy:3128", "http:proxy:3128", "ftp://u:hunter2@p:1", "http://u:hunter2@p", "http://u:hunter2@p:0",
        "http://u:hunter2@p:99999", "http://u:hunter2@:3128", "http://u:hunter2@127.1:3128", "http://u:hunter2@p:1/path",
        "http://u:hunter2@p:1/?q", "http://u:hunter2@p:1#f", "http://u%0d%0aX:hunter2@p:1", "http://u%3a:hunter2@p:1",
        "http://:hunter2@p:1", "http://u:hunter2 @p:1"}) {
    auto const proxy = parse_upstream_proxy(text);
    ASSERT_FALSE(proxy) << text;
    EXPECT_THAT(proxy.error().what, HasSubstr("HOST:PORT")) << text;
    EXPECT_THAT(proxy.error().what, Not(HasSubstr("hunter2"))) << text;
  }
  EXPECT_FALSE(parse_upstream_proxy("socks5://" + std::string(256, 'u') + ":x@p:1"));
}

bool direct(std::string_view list, std::string_view host) {
  return DirectHosts::parse(list)->contain(CanonicalHost::from(host).value());
}

TEST(DirectHosts, NamesStandForThemselvesAndWhatIsBelow) {
  EXPECT_TRUE(direct("corp.example, other.example", "corp.example"));
  EXPECT_TRUE(direct("corp.example, other.example", "git.other.example"));
  EXPECT_TRUE(direct(".corp.example", "a.corp.example"));
  EXPECT_FALSE(direct("corp.example", "notcorp.example"));
  EXPECT_FALSE(direct("", "corp.example"));
  EXPECT_TRUE(direct("*", "any.example"));
  EXPECT_TRUE(direct("*", "192.0.2.1"));
}

TEST(DirectHosts, AddressesAndBlocksStandForAddresses) {
  EXPECT_TRUE(direct("10.0.0.0/8,192.0.2.1", "10.1.2.3"));
  EXPECT_TRUE(direct("10.0.0.0/8,192.0.2.1", "192.0.2.1"));
  EXPECT_TRUE(direct("2001:db8::/32", "2001:db8::7"));
  EXPECT_FALSE(direct("10.0.0.0/8", "11.0.0.1"));
  EXPECT_FALSE(direct("10.0.0.0/8", "ten.example"));
}

TEST(DirectHosts, AnItemThatIsNeitherIsNamed) {
  for (auto const* item : {"*.example", "10.0.0.1/8", "a.example:443", "http://a.example", "[::1]"}) {
    auto const hosts = DirectHosts::parse(std::string("ok.example,") + item);
    ASSERT_FALSE(hosts) << item;
    EXPECT_THAT(hosts.error().what, HasSubstr(item));
  }
}

}  // namespace
}  // namespace sallyport::policies
