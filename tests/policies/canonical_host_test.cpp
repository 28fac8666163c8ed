#include "policies/canonical_host.hpp"

#include <gtest/gtest.h>

namespace sallyport::policies {
namespace {

void ok(std::string_view raw, std::string_view canonical) {
  auto const host = CanonicalHost::from(raw);
  ASSERT_TRUE(host) << raw << ": " << host.error().what;
  EXPECT_EQ(host->str(), canonical) << raw;
  EXPECT_EQ(CanonicalHost::from(host->str()).value(), *host) << "canonical text is stable";
}

void bad(std::string_view raw) {
  auto const host = CanonicalHost::from(raw);
  EXPECT_FALSE(host) << raw << " became " << host->str();
}

TEST(CanonicalHost, IsLowerCaseWithoutRootDot) {
  ok("example.com", "example.com");
  ok("EXAMPLE.Com", "example.com");
  ok("example.com.", "example.com");
  ok("localhost", "localhost");
  ok("_dmarc.a_b.example", "_dmarc.a_b.example");
  ok("3com.example", "3com.example");
  ok("r3---sn-abc.example", "r3---sn-abc.example");
  ok("1.2.3.4.example", "1.2.3.4.example");
}

TEST(CanonicalHost, ConvertsToALabels) {
  ok("bücher.example", "xn--bcher-kva.example");
  ok("BÜCHER.example", "xn--bcher-kva.example");
  ok("faß.example", "xn--fa-hia.example");
  ok("XN--BCHER-KVA.example", "xn--bcher-kva.example");
  ok("аpple.example", "xn--pple-43d.example");  // Cyrillic а: another name, not apple.example
}

TEST(CanonicalHost, MapsLookalikesOfDotsAndIgnoredCharacters) {
  ok("example\u3002com", "example.com");
  ok("example\uFF0Ecom", "example.com");
  ok("example\uFF61com", "example.com");
  ok("exam\u00ADple.com", "example.com");
  ok("ｅｘａｍｐｌｅ.com", "example.com");
}

TEST(CanonicalHost, KeepsAddressesInCanonicalText) {
  ok("127.0.0.1", "127.0.0.1");
  ok("[::1]", "::1");
  ok("::1", "::1");
  ok("[2001:DB8::1]", "2001:db8::1");
  ok("[::ffff:127.0.0.1]", "127.0.0.1");
  EXPECT_TRUE(CanonicalHost::from("[::1]").value().is_address());
  EXPECT_EQ(CanonicalHost::from("::1").value().authority(), "[::1]");
  EXPECT_EQ(CanonicalHost::from("1.2.3.4").value().authority(), "1.2.3.4");
  EXPECT_FALSE(CanonicalHost::from("example.com").value().is_address());
}

TEST(CanonicalHost, RefusesOtherSpellingsOfAddresses) {
  for (auto raw : {"2130706433",   "0177.0.0.1",       "0x7f.1",      "0x7f000001",    "127.1",  "0",
                   "1.2.3.4.",     "127.0.0.1.5",      "a.1",         "a.0x1",         "a.0x",   "１２７.0.0.1",
                   "fe80::1%eth0", "[fe80::1%25eth0]", "[127.0.0.1]", "[example.com]", "[::1",   "::1]",
                   "[]",           "[::1]:443",        ":",           ":::",           "1::2::3"}) {
    bad(raw);
  }
}

TEST(CanonicalHost, RefusesWhatIsNotOnlyAHost) {
  for (auto raw :
       {"github.com@evil.com", "evil.com#github.com", "evil.com?github.com", "evil.com\\@github.com", "example.com:443",
        "http://example.com", "example.com/", "a b.example", " example.com", "example.com ", "exa%6dple.com", "%2e",
        "a%2eb", "a,b.example", "*.example.com", "a\u2100b.example", "a\uFF0Fb.example", "a\uFF03b", "a\uFF05b.example"}) {
    bad(raw);
  }
}

TEST(CanonicalHost, RefusesControlBytes) {
  bad(std::string_view("evil\0.google.com", 16));
  bad(std::string_view("example.com\0", 12));
  bad("example.com\r\n");
  bad("exam\tple.com");
  bad("example.com\x7f");
  bad("\xff\xfe.example");
  bad("\xc0\xae.example");
}

TEST(CanonicalHost, HoldsTheLimitsOfDns) {
  std::string const label(63, 'a');
  std::string const longest = label + "." + label + "." + label + "." + std::string(61, 'a');
  ASSERT_EQ(longest.size(), 253u);
  ok(longest, longest);
  ok(longest + ".", longest);
  bad(longest + "a");
  bad(std::string(64, 'a') + ".example");
  bad(std::string(100'000, 'a'));
  for (auto raw : {"", ".", "..", "a..b", ".a", "a.."}) bad(raw);
}

TEST(CanonicalHost, ErrorsAreOneSafeLine) {
  auto const host = CanonicalHost::from("a\n\x1b[2J.example");
  ASSERT_FALSE(host);
  EXPECT_EQ(host.error().what.find_first_of("\n\x1b"), std::string::npos);
}

}  // namespace
}  // namespace sallyport::policies
