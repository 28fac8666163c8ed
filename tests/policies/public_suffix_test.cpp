#include "policies/public_suffix.hpp"

#include <gtest/gtest.h>

namespace sallyport::policies {
namespace {

bool spans(std::string_view pattern) { return spans_public_suffix(HostPattern::parse(pattern).value()); }

TEST(SpansPublicSuffix, RefusesWildcardsRightBelowASuffix) {
  for (auto pattern :
       {"*.com", "**.com", "*.co.uk", "**.co.uk", "*.github.io", "a*.github.io", "*.xn--p1ai", "*.internal"}) {
    EXPECT_TRUE(spans(pattern)) << pattern;
  }
}

TEST(SpansPublicSuffix, AcceptsNamesAndWildcardsBelowRegisteredDomains) {
  for (auto pattern : {"com", "co.uk", "*.example.com", "**.example.co.uk", "*.me.github.io", "*", "1.2.3.4"}) {
    EXPECT_FALSE(spans(pattern)) << pattern;
  }
}

TEST(RegisteredPart, IsWhatSomebodyRegisteredOrTheParentOfIt) {
  EXPECT_EQ(registered_part("a.b.example.co.uk"), "example.co.uk");
  EXPECT_EQ(registered_part("a.me.github.io"), "me.github.io");
  EXPECT_EQ(registered_part("example.com"), "com");
  EXPECT_EQ(registered_part("localhost"), "localhost");
}

}  // namespace
}  // namespace sallyport::policies
