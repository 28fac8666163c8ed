#include "jail/net_guard_rules.hpp"

#include "tests/jail/closed_network.hpp"
#include "tests/jail/forked.hpp"

#include <gtest/gtest.h>

#include <cerrno>
#include <cstdlib>

namespace sallyport::jail {
namespace {

constexpr std::uint32_t kNobodyHere = 61000;  // not the test's uid

/// A namespace with a device that leads somewhere, so that a packet that gets out would be seen to.
void in_guarded_network(std::uint32_t gateway, std::function<void(Plan const&, BridgeSockets const&)> const& body) {
  in_own_network([&] {
    ASSERT_EQ(std::system("ip link set lo up && ip link add out0 type veth peer name out1 && ip addr add 192.0.2.2/24 dev out0 && "
                          "ip link set out0 up && ip link set out1 up && ip route add default via 192.0.2.1"),
              0);
    Plan plan = network_plan();
    plan.ports = {3128, 3129, 3130};
    plan.net_rules = build_guard_rules(plan.ports, gateway);
    BridgeSockets sockets{};
    ASSERT_EQ(load_net_rules(plan), 0);
    ASSERT_EQ(load_net_rules(plan), 0);  // a second time, too
    ASSERT_EQ(open_listeners(plan, sockets), 0);
    body(plan, sockets);
  });
}

TEST(GuardRules, BringEveryTcpDialToTheTransparentPort) {
  in_guarded_network(kNobodyHere, [](Plan const&, BridgeSockets const& sockets) {
    EXPECT_EQ(dial("1.1.1.1", 443), 0);
    EXPECT_TRUE(takes_connection(sockets.fds[socket_order::transparent_v4]));
    EXPECT_EQ(dial("192.0.2.1", 22), 0);
    EXPECT_TRUE(takes_connection(sockets.fds[socket_order::transparent_v4]));
  });
}

TEST(GuardRules, BringNameQueriesToTheDnsPortAlsoThoseToDockersResolver) {
  in_guarded_network(kNobodyHere, [](Plan const&, BridgeSockets const& sockets) {
    send_datagram("8.8.8.8", 53);
    EXPECT_TRUE(takes_datagram(sockets.fds[socket_order::dns_udp_v4]));
    send_datagram("127.0.0.11", 53);
    EXPECT_TRUE(takes_datagram(sockets.fds[socket_order::dns_udp_v4]));
  });
}

TEST(GuardRules, CloseDockersResolverAtItsRealPort) {
  in_guarded_network(kNobodyHere, [](Plan const&, BridgeSockets const&) {
    EXPECT_NE(send_datagram("127.0.0.11", 40000), 0);
    EXPECT_NE(send_datagram("127.0.0.11", 40000), EAGAIN);
  });
}

TEST(GuardRules, RefuseOtherDatagramsAtOnce) {
  in_guarded_network(kNobodyHere, [](Plan const&, BridgeSockets const&) {
    int const error = send_datagram("8.8.8.8", 443);
    EXPECT_NE(error, 0);
    EXPECT_NE(error, EAGAIN);
  });
}

TEST(GuardRules, LetTheGatewaysUidPass) {
  in_guarded_network(0, [](Plan const&, BridgeSockets const& sockets) {  // in this namespace the test is uid 0
    EXPECT_NE(dial("192.0.2.77", 443), 0);  // no such neighbour
    EXPECT_FALSE(takes_connection(sockets.fds[socket_order::transparent_v4]));
  });
}

TEST(GuardRules, WithoutAGatewayThereIsNoNetwork) {
  in_own_network([] {
    Plan plan = network_plan();
    plan.net_rules = build_guard_rules({3128, 3129, 3130}, kNobodyHere);
    ASSERT_EQ(bring_up_loopback(plan), 0);
    ASSERT_EQ(load_net_rules(plan), 0);
    EXPECT_EQ(dial("1.1.1.1", 443), ECONNREFUSED);
  });
}

}  // namespace
}  // namespace sallyport::jail
