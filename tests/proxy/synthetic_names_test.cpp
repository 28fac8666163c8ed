#include "proxy/synthetic_names.hpp"

#include <gtest/gtest.h>

namespace sallyport::proxy {
namespace {

constexpr UlaPrefix kPrefix = {0xfd, 1, 2, 3, 4, 5, 6, 7};

policies::CanonicalHost host(std::string_view name) { return policies::CanonicalHost::from(name).value(); }
policies::IpAddress address(std::string_view text) { return policies::IpAddress::parse(text).value(); }

TEST(SyntheticNames, EachNameHasOnePairForTheWholeSession) {
  SyntheticNames names(kPrefix);
  auto const first = names.addresses_of(host("a.example")).value();
  auto const second = names.addresses_of(host("b.example")).value();
  EXPECT_EQ(first.v4.to_string(), "198.18.0.1");
  EXPECT_EQ(first.v6.to_string(), "fd01:203:405:607::1");
  EXPECT_NE(first.v4, second.v4);
  EXPECT_EQ(names.addresses_of(host("a.example"))->v4, first.v4);
}

TEST(SyntheticNames, BothAddressesLeadBackToTheName) {
  SyntheticNames names(kPrefix);
  auto const pair = names.addresses_of(host("a.example")).value();
  EXPECT_EQ(names.name_of(pair.v4), host("a.example"));
  EXPECT_EQ(names.name_of(pair.v6), host("a.example"));
}

TEST(SyntheticNames, OtherAddressesHaveNoName) {
  SyntheticNames names(kPrefix);
  names.addresses_of(host("a.example")).value();
  for (auto const* text : {"198.18.0.0", "198.18.0.2", "198.19.255.255", "0.0.0.1", "fd01:203:405:607::",
                           "fd01:203:405:607::2", "fd01:203:405:608::1", "::1", "fd01:203:405:607:1::1"}) {
    EXPECT_FALSE(names.name_of(address(text))) << text;
  }
}

TEST(SyntheticNames, EndsWhenTheBlockIsUsedUp) {
  SyntheticNames names(kPrefix, 2);
  EXPECT_TRUE(names.addresses_of(host("a.example")));
  EXPECT_TRUE(names.addresses_of(host("b.example")));
  EXPECT_EQ(names.addresses_of(host("c.example")).error().code, Code::limit);
  EXPECT_TRUE(names.addresses_of(host("a.example")));
}

TEST(SyntheticNames, WholeBlockStaysInsideItsRange) {
  SyntheticNames names(kPrefix);
  for (std::size_t i = 1; i < limits::kMaxSyntheticNames; ++i)
    names.addresses_of(host("n" + std::to_string(i) + ".example"));
  EXPECT_EQ(names.addresses_of(host("last.example"))->v4.to_string(), "198.19.255.254");
  EXPECT_FALSE(names.addresses_of(host("one-more.example")));
}

TEST(SyntheticNames, PrefixIsAUniqueLocalOne) {
  auto const one = random_ula_prefix().value();
  EXPECT_EQ(one[0], 0xfd);
  EXPECT_NE(one, random_ula_prefix().value());
}

}  // namespace
}  // namespace sallyport::proxy
