#include "proxy/tenants.hpp"

#include "tests/proxy/tenant_parts.hpp"

#include <gtest/gtest.h>

#include <memory>

namespace sallyport::proxy {
namespace {

TenantOptions tenant(std::string name, std::vector<std::string> const& blocks = {}) {
  TenantOptions options{std::move(name), std::make_shared<policies::Policy>()};
  for (auto const& block : blocks) options.clients.push_back(policies::Cidr::parse(block).value());
  return options;
}

/// Nobody in particular; ci, with a part of its network that is the lab's; and one with a listener of its own for everybody.
class TenantsTest : public testing::Test {
 protected:
  std::string whose(std::string const& address, std::string const& listener = {}) {
    auto* const own = listener.empty() ? nullptr : tenants_.find(listener);
    auto* const found = tenants_.of(own, policies::IpAddress::parse(address).value());
    return found == nullptr ? "refused" : found->name();
  }
  std::string whose_unix(std::string const& listener) { return tenants_.of(listener.empty() ? nullptr : tenants_.find(listener), std::nullopt)->name(); }

  tests::TenantParts parts_;
  Tenants tenants_{[] {
                     std::vector<TenantOptions> all;
                     all.push_back(tenant(""));
                     all.push_back(tenant("ci", {"10.1.0.0/16"}));
                     all.push_back(tenant("lab", {"10.1.2.0/24", "fd00::/8"}));
                     all.push_back(tenant("open"));
                     return all;
                   }(),
                   parts_.shared()};
};

TEST_F(TenantsTest, OnACommonListenerTheNarrowestBlockSaysWho) {
  EXPECT_EQ(whose("10.1.7.7"), "ci");
  EXPECT_EQ(whose("10.1.2.7"), "lab");
  EXPECT_EQ(whose("fd00::1"), "lab");
  EXPECT_EQ(whose("10.2.0.1"), "") << "nobody's client is served as the first";
  EXPECT_EQ(whose("127.0.0.1"), "");
  EXPECT_EQ(whose_unix(""), "");
}

TEST_F(TenantsTest, AnOwnListenerIsForNobodyElsesClients) {
  EXPECT_EQ(whose("10.9.0.1", "open"), "open");
  EXPECT_EQ(whose("10.1.7.7", "open"), "refused") << "ci's client must not choose another policy by dialling another port";
  EXPECT_EQ(whose("10.1.7.7", "ci"), "ci");
  EXPECT_EQ(whose("10.1.2.7", "ci"), "refused");
  EXPECT_EQ(whose("10.9.0.1", "ci"), "refused") << "ci says who its clients are";
  EXPECT_EQ(whose("127.0.0.1", "ci"), "refused");
  EXPECT_EQ(whose_unix("ci"), "ci");
}

TEST_F(TenantsTest, AreFoundByName) {
  EXPECT_EQ(tenants_.find("lab")->name(), "lab");
  EXPECT_EQ(tenants_.find(""), &tenants_.first());
  EXPECT_EQ(tenants_.find("nobody"), nullptr);
}

}  // namespace
}  // namespace sallyport::proxy
