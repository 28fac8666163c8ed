#include "jail/net_links.hpp"

#include "tests/jail/closed_network.hpp"
#include "tests/jail/forked.hpp"

#include <gtest/gtest.h>

#include <cerrno>

namespace sallyport::jail {
namespace {

TEST(NetLinks, MakeEveryAddressLocal) {
  in_own_network([] {
    EXPECT_NE(dial("1.1.1.1", 443), ECONNREFUSED);  // unreachable before
    Plan const plan = network_plan();
    ASSERT_EQ(bring_up_loopback(plan), 0);
    EXPECT_EQ(dial("127.0.0.1", 443), ECONNREFUSED);
    EXPECT_EQ(dial("1.1.1.1", 443), ECONNREFUSED);
    EXPECT_EQ(dial("169.254.169.254", 80), ECONNREFUSED);
    if (plan.ipv6 == Ipv6::absent) return;
    EXPECT_EQ(dial("::1", 443), ECONNREFUSED);
    EXPECT_EQ(dial("2606:4700::1111", 443), ECONNREFUSED);
  });
}

TEST(NetLinks, AreMadeOnceAndASecondTimeIsAnError) {
  in_own_network([] {
    Plan plan = network_plan();
    ASSERT_EQ(bring_up_loopback(plan), 0);
    EXPECT_EQ(bring_up_loopback(plan), EEXIST);  // the kernel's answer is read, not assumed
  });
}

TEST(NetLinks, NeedNoIpv6) {
  in_own_network([] {
    Plan plan = network_plan();
    plan.net_links = build_net_links(Ipv6::absent);
    ASSERT_EQ(bring_up_loopback(plan), 0);
    EXPECT_EQ(dial("1.1.1.1", 443), ECONNREFUSED);
  });
}

}  // namespace
}  // namespace sallyport::jail
