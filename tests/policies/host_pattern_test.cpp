#include "policies/host_pattern.hpp"

#include <gtest/gtest.h>

namespace sallyport::policies {
namespace {

void ok(std::string_view raw, std::string_view canonical) {
  auto const pattern = HostPattern::parse(raw);
  ASSERT_TRUE(pattern) << raw << ": " << pattern.error().what;
  EXPECT_EQ(pattern->to_string(), canonical);
  EXPECT_EQ(HostPattern::parse(pattern->to_string()).value(), *pattern);
}

/// The error must tell what to write.
void bad(std::string_view raw, std::string_view advice) {
  auto const pattern = HostPattern::parse(raw);
  ASSERT_FALSE(pattern) << raw << " became " << pattern->to_string();
  EXPECT_NE(pattern.error().what.find(advice), std::string::npos) << pattern.error().what;
}

void matches(std::string_view pattern, std::string_view host) {
  EXPECT_TRUE(HostPattern::parse(pattern).value().matches(CanonicalHost::from(host).value())) << pattern << " " << host;
}

void misses(std::string_view pattern, std::string_view host) {
  EXPECT_FALSE(HostPattern::parse(pattern).value().matches(CanonicalHost::from(host).value())) << pattern << " " << host;
}

TEST(HostPattern, HasOneCanonicalSpelling) {
  ok("Example.COM.", "example.com");
  ok("*.Bücher.example", "*.xn--bcher-kva.example");
  ok("**.example.com", "**.example.com");
  ok("API-*.example.com", "api-*.example.com");
  ok("*-api.example.com", "*-api.example.com");
  ok("a*b.example.com", "a*b.example.com");
  ok("*", "*");
  ok("10.0.0.1", "10.0.0.1");
  ok("[2001:DB8::1]", "2001:db8::1");
}

TEST(HostPattern, SaysWhatToWriteInsteadOfAPatternThatCannotMatch) {
  bad("https://example.com", "write the host alone");
  bad("example.com/path", "'paths'");
  bad("example.com:443", "'ports'");
  bad("[::1]:443", "'ports'");
  bad("user@example.com", "host alone");
  bad(".example.com", "'*.example.com'");
  bad("a.*.example.com", "can never match");
  bad("www.exam*.com", "can never match");
  bad("*.*.example.com", "can never match");
  bad("**.a*.com", "can never match");
  bad("a*b*.example.com", "first label");
  bad("api-*", "needs a domain");
  bad("**", "needs a domain");
  bad("***.example.com", "first label");
  bad("*.10.0.0.1", "address");
  bad("*.", "empty");
  bad("*. example.com", "may hold only");
  bad("ü*.example.com", "first label");
  bad("", "empty");
  bad("exa mple.com", "may hold only");
  bad("example.com\n", "may hold only");
  bad("127.1", "number");
}

TEST(HostPattern, ExactIsThatNameOnly) {
  matches("github.com", "github.com");
  matches("github.com", "GitHub.com.");
  for (auto host : {"github.com.evil.com", "notgithub.com", "evilgithub.com", "www.github.com", "github.co", "com"})
    misses("github.com", host);
}

TEST(HostPattern, BelowIsOneOrMoreLabelsBelow) {
  matches("*.example.com", "a.example.com");
  matches("*.example.com", "a.b.example.com");
  for (auto host : {"example.com", "notexample.com", "a.notexample.com", "a.example.com.evil.org", "example.com.evil"}) {
    misses("*.example.com", host);
  }
}

TEST(HostPattern, TreeIsTheDomainAndEverythingBelow) {
  matches("**.example.com", "example.com");
  matches("**.example.com", "a.b.example.com");
  misses("**.example.com", "notexample.com");
  misses("**.example.com", "example.com.evil.org");
}

TEST(HostPattern, PartialStaysWithinOneLabel) {
  matches("api-*.example.com", "api-1.example.com");
  misses("api-*.example.com", "api-.example.com");
  misses("api-*.example.com", "api-1.x.example.com");
  misses("api-*.example.com", "x.api-1.example.com");
  misses("api-*.example.com", "example.com");
  misses("a*a.example.com", "a.example.com");
  misses("a*a.example.com", "aa.example.com");
  matches("a*a.example.com", "aba.example.com");
}

TEST(HostPattern, AnyIsEveryNameAndNoAddress) {
  matches("*", "example.com");
  matches("*", "localhost");
  misses("*", "1.2.3.4");
  misses("*", "::1");
  matches("1.2.3.4", "1.2.3.4");
  matches("::ffff:1.2.3.4", "1.2.3.4");
}

}  // namespace
}  // namespace sallyport::policies
