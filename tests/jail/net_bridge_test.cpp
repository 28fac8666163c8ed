#include "jail/net_bridge.hpp"

#include "tests/jail/closed_network.hpp"
#include "tests/jail/forked.hpp"

#include <gtest/gtest.h>

#include <fcntl.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <cerrno>

namespace sallyport::jail {
namespace {

std::uint16_t port_of(int fd) {
  sockaddr_in6 address{};  // the port is where it is in sockaddr_in
  socklen_t size = sizeof address;
  EXPECT_EQ(::getsockname(fd, reinterpret_cast<sockaddr*>(&address), &size), 0);
  return ntohs(address.sin6_port);
}

TEST(NetBridge, MakesSocketsThatDoNotBlockAndDoNotLeak) {
  in_own_network([] {
    Plan const plan = network_plan();
    auto const sockets = close_network(plan);
    unsigned const count = plan.ipv6 == Ipv6::present ? socket_order::count : socket_order::kWithoutIpv6;
    for (unsigned i = 0; i < count; ++i) {
      EXPECT_TRUE(::fcntl(sockets.fds[i], F_GETFD) & FD_CLOEXEC) << i;
      EXPECT_TRUE(::fcntl(sockets.fds[i], F_GETFL) & O_NONBLOCK) << i;
    }
  });
}

TEST(NetBridge, PutsEverySocketIntoItsSlot) {
  in_own_network([] {
    using namespace socket_order;
    Plan const plan = network_plan();
    auto const sockets = close_network(plan);
    EXPECT_EQ(port_of(sockets.fds[explicit_v4]), plan.ports.explicit_proxy);
    EXPECT_EQ(port_of(sockets.fds[transparent_v4]), plan.ports.transparent);
    EXPECT_EQ(port_of(sockets.fds[dns_udp_v4]), plan.ports.dns);
    EXPECT_EQ(port_of(sockets.fds[dns_tcp_v4]), plan.ports.dns);
    if (plan.ipv6 == Ipv6::absent) return;
    EXPECT_EQ(port_of(sockets.fds[explicit_v6]), plan.ports.explicit_proxy);
    EXPECT_EQ(port_of(sockets.fds[dns_udp_v6]), plan.ports.dns);
  });
}

TEST(NetBridge, LeavesOutIpv6WhereThereIsNone) {
  in_own_network([] {
    Plan plan = network_plan();
    plan.ipv6 = Ipv6::absent;
    BridgeSockets sockets{};
    for (int& fd : sockets.fds) fd = -1;
    ASSERT_EQ(bring_up_loopback(plan), 0);
    ASSERT_EQ(open_listeners(plan, sockets), 0);
    for (unsigned i = socket_order::explicit_v6; i < socket_order::count; ++i) EXPECT_EQ(sockets.fds[i], -1) << i;
  });
}

TEST(NetBridge, SaysWhyAPortCannotBeHad) {
  in_own_network([] {
    Plan const plan = network_plan();
    BridgeSockets first{}, second{};
    ASSERT_EQ(bring_up_loopback(plan), 0);
    ASSERT_EQ(open_listeners(plan, first), 0);
    EXPECT_EQ(open_listeners(plan, second), EADDRINUSE);
  });
}

TEST(NetBridge, SaysThatARequestIsMalformed) {
  in_own_network([] {
    Plan plan = network_plan();
    plan.net_rules.resize(plan.net_rules.size() / 2);
    EXPECT_NE(load_net_rules(plan), 0);
    plan.net_links.clear();
    EXPECT_NE(bring_up_loopback(plan), 0);
  });
}

}  // namespace
}  // namespace sallyport::jail
