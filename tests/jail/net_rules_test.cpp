#include "jail/net_rules.hpp"

#include "tests/jail/closed_network.hpp"
#include "tests/jail/forked.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <functional>

namespace sallyport::jail {
namespace {

using ::testing::Contains;
using ::testing::Each;
using ::testing::IsEmpty;
using ::testing::Not;

/// In a namespace of its own that is closed as a jail's is.
void in_closed_network(std::function<void(Plan const&, BridgeSockets const&)> const& body) {
  in_own_network([&] {
    Plan const plan = network_plan();
    body(plan, close_network(plan));
  });
}

void lands_on(int listener, std::string const& address, std::uint16_t port) {
  EXPECT_EQ(dial(address, port), 0) << address << " " << port;
  EXPECT_TRUE(takes_connection(listener)) << address << " " << port;
}

/// Refused by the namespace, not by silence.
void fails_at_once(int error, std::string const& what) {
  EXPECT_NE(error, 0) << what;
  EXPECT_NE(error, ETIMEDOUT) << what;
  EXPECT_NE(error, EAGAIN) << what;
}

TEST(NetRules, BringEveryTcpDialToTheTransparentPort) {
  in_closed_network([](Plan const& plan, BridgeSockets const& sockets) {
    int const v4 = sockets.fds[socket_order::transparent_v4];
    lands_on(v4, "1.1.1.1", 443);
    lands_on(v4, "10.0.0.1", 22);
    lands_on(v4, "169.254.169.254", 80);
    lands_on(v4, "192.168.1.1", 3128);
    if (plan.ipv6 == Ipv6::absent) return;
    lands_on(sockets.fds[socket_order::transparent_v6], "2606:4700::1111", 443);
    lands_on(sockets.fds[socket_order::transparent_v6], "fd00::1", 80);
  });
}

TEST(NetRules, KeepTheAddressThatWasDialled) {
  in_closed_network([](Plan const&, BridgeSockets const& sockets) {
    ASSERT_EQ(dial("1.1.1.1", 443), 0);
    int const fd = ::accept(sockets.fds[socket_order::transparent_v4], nullptr, nullptr);
    ASSERT_GE(fd, 0);
    constexpr int kOriginalDestination = 80;  // SO_ORIGINAL_DST
    sockaddr_in dialled{};
    socklen_t size = sizeof dialled;
    ASSERT_EQ(::getsockopt(fd, IPPROTO_IP, kOriginalDestination, &dialled, &size), 0);
    EXPECT_EQ(dialled.sin_addr.s_addr, ::inet_addr("1.1.1.1"));
    EXPECT_EQ(ntohs(dialled.sin_port), 443);
    ::close(fd);
  });
}

TEST(NetRules, BringNameQueriesToTheDnsPortWhateverTheAddress) {
  in_closed_network([](Plan const& plan, BridgeSockets const& sockets) {
    using namespace socket_order;
    send_datagram("8.8.8.8", 53);
    EXPECT_TRUE(takes_datagram(sockets.fds[dns_udp_v4]));
    send_datagram("127.0.0.53", 53);
    EXPECT_TRUE(takes_datagram(sockets.fds[dns_udp_v4]));
    lands_on(sockets.fds[dns_tcp_v4], "8.8.8.8", 53);
    if (plan.ipv6 == Ipv6::absent) return;
    send_datagram("2001:4860:4860::8888", 53);
    EXPECT_TRUE(takes_datagram(sockets.fds[dns_udp_v6]));
    lands_on(sockets.fds[dns_tcp_v6], "2001:4860:4860::8888", 53);
  });
}

TEST(NetRules, BringTheAnswerBackFromTheAddressThatWasAsked) {
  in_closed_network([](Plan const&, BridgeSockets const& sockets) {
    Child const responder([&] {
      int const fd = sockets.fds[socket_order::dns_udp_v4];
      sockaddr_storage peer{};
      socklen_t size = sizeof peer;
      char byte = 0;
      for (;;) {
        if (::recvfrom(fd, &byte, 1, 0, reinterpret_cast<sockaddr*>(&peer), &size) == 1) break;
      }
      return ::sendto(fd, &byte, 1, 0, reinterpret_cast<sockaddr*>(&peer), size) == 1 ? 0 : 1;
    });
    EXPECT_EQ(send_datagram("8.8.8.8", 53), 0);
  });
}

TEST(NetRules, RefuseOtherDatagramsAtOnceAndReportThem) {
  in_closed_network([](Plan const& plan, BridgeSockets const& sockets) {
    fails_at_once(send_datagram("8.8.8.8", 443), "QUIC");
    fails_at_once(send_datagram("224.0.0.251", 5353), "mDNS");
    if (plan.ipv6 == Ipv6::present) fails_at_once(send_datagram("2606:4700::1111", 443), "QUIC over IPv6");
    auto const prefixes = reported(sockets.fds[socket_order::packet_log]);
    EXPECT_GE(prefixes.size(), 2U);
    EXPECT_THAT(prefixes, Each(std::string(kUdpPrefix)));
  });
}

TEST(NetRules, RefuseOtherProtocolsAtOnceAndReportThem) {
  in_closed_network([](Plan const&, BridgeSockets const& sockets) {
    int const fd = ::socket(AF_INET, SOCK_RAW | SOCK_CLOEXEC, IPPROTO_ICMP);
    ASSERT_GE(fd, 0);
    sockaddr_in target{};
    target.sin_family = AF_INET;
    target.sin_addr.s_addr = ::inet_addr("8.8.8.8");
    char const echo[8] = {8, 0, static_cast<char>(0xf7), static_cast<char>(0xff)};
    EXPECT_LT(::sendto(fd, echo, sizeof echo, 0, reinterpret_cast<sockaddr*>(&target), sizeof target), 0);
    ::close(fd);
    EXPECT_THAT(reported(sockets.fds[socket_order::packet_log]), Contains(std::string(kProtocolPrefix)));
  });
}

TEST(NetRules, RefuseAClosedLoopbackPortAtOnceAndReportIt) {
  in_closed_network([](Plan const& plan, BridgeSockets const& sockets) {
    EXPECT_EQ(dial("127.0.0.1", 5432), ECONNREFUSED);
    EXPECT_EQ(dial(plan.ipv6 == Ipv6::present ? "::1" : "127.0.0.1", 5432), ECONNREFUSED);
    auto const prefixes = reported(sockets.fds[socket_order::packet_log]);
    EXPECT_THAT(prefixes, Not(IsEmpty()));
    EXPECT_THAT(prefixes, Each(std::string(kLoopbackPrefix)));
  });
}

TEST(NetRules, LeaveServersOfTheJailAlone) {
  in_closed_network([](Plan const&, BridgeSockets const& sockets) {
    int const own = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in place{};
    place.sin_family = AF_INET;
    place.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    place.sin_port = htons(8080);
    ASSERT_EQ(::bind(own, reinterpret_cast<sockaddr*>(&place), sizeof place), 0);
    ASSERT_EQ(::listen(own, 1), 0);
    lands_on(own, "127.0.0.1", 8080);
    lands_on(sockets.fds[socket_order::explicit_v4], "127.0.0.1", 3128);
    lands_on(sockets.fds[socket_order::transparent_v4], "127.0.0.1", 3129);
    EXPECT_THAT(reported(sockets.fds[socket_order::packet_log]), IsEmpty());
    ::close(own);
  });
}

TEST(NetRules, UseThePortsTheyWereGiven) {
  in_own_network([] {
    Plan plan = network_plan();
    plan.ports = {4128, 4129, 4053};
    plan.net_rules = build_net_rules(plan.ports);
    auto const sockets = close_network(plan);
    lands_on(sockets.fds[socket_order::transparent_v4], "1.1.1.1", 443);
    lands_on(sockets.fds[socket_order::dns_tcp_v4], "8.8.8.8", 53);
  });
}

}  // namespace
}  // namespace sallyport::jail
