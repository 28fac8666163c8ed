#include "jail/socket_owner.hpp"

#include "tests/jail/closed_network.hpp"
#include "tests/jail/forked.hpp"

#include <gtest/gtest.h>

#include <arpa/inet.h>
#include <signal.h>
#include <sys/socket.h>
#include <unistd.h>

#include <functional>

namespace sallyport::jail {
namespace {

/// In a closed network, with an owner search that begins at this process.
void with_owner(std::function<void(SocketOwner&, BridgeSockets const&)> const& body) {
  in_own_network([&] {
    auto sockets = close_network(network_plan());
    SocketOwner owner(*UniqueFd::adopt(sockets.fds[socket_order::socket_diag], "diag"), ::getpid());
    body(owner, sockets);
  });
}

sockaddr_in to_v4(std::string const& address, std::uint16_t port) {
  sockaddr_in out{};
  out.sin_family = AF_INET;
  out.sin_port = htons(port);
  ::inet_pton(AF_INET, address.c_str(), &out.sin_addr);
  return out;
}

/// A child that is connected to an address (TCP or UDP) and waits.
class Client {
 public:
  Client(int type, std::string const& address, std::uint16_t port)
      : child_([&] {
          int const fd = ::socket(AF_INET, type | SOCK_CLOEXEC, 0);
          auto const target = to_v4(address, port);
          if (::connect(fd, reinterpret_cast<sockaddr const*>(&target), sizeof target) < 0) return 1;
          if (type == SOCK_DGRAM && ::send(fd, "q", 1, 0) != 1) return 1;
          ready_.open();
          ::pause();
          return 0;
        }) {
    ready_.pass();
  }
  pid_t pid() const { return child_.pid(); }
  Child& child() { return child_; }

 private:
  Gate ready_;
  Child child_;
};

/// The connection that waits at a listener, as the client sees it.
audit::Flow accept_flow(int listener, std::string const& dialled, std::uint16_t port) {
  sockaddr_in peer{};
  socklen_t size = sizeof peer;
  int const fd = ::accept4(listener, reinterpret_cast<sockaddr*>(&peer), &size, SOCK_CLOEXEC);
  EXPECT_GE(fd, 0);
  char text[INET_ADDRSTRLEN]{};
  ::inet_ntop(AF_INET, &peer.sin_addr, text, sizeof text);
  return {"tcp", text, ntohs(peer.sin_port), dialled, port};
}

TEST(SocketOwnerTest, FindsWhoDialled) {
  with_owner([](SocketOwner& owner, BridgeSockets const& sockets) {
    Client const direct(SOCK_STREAM, "127.0.0.1", 3128);
    EXPECT_EQ(owner.find(accept_flow(sockets.fds[socket_order::explicit_v4], "127.0.0.1", 3128)), direct.pid());
  });
}

TEST(SocketOwnerTest, FindsWhoDialledAnAddressThatWasCaptured) {
  with_owner([](SocketOwner& owner, BridgeSockets const& sockets) {
    Client const client(SOCK_STREAM, "1.1.1.1", 443);
    EXPECT_EQ(owner.find(accept_flow(sockets.fds[socket_order::transparent_v4], "1.1.1.1", 443)), client.pid());
  });
}

TEST(SocketOwnerTest, TellsTwoClientsApart) {
  with_owner([](SocketOwner& owner, BridgeSockets const& sockets) {
    int const listener = sockets.fds[socket_order::explicit_v4];
    Client const first(SOCK_STREAM, "127.0.0.1", 3128);
    auto const first_flow = accept_flow(listener, "127.0.0.1", 3128);
    Client const second(SOCK_STREAM, "127.0.0.1", 3128);
    auto const second_flow = accept_flow(listener, "127.0.0.1", 3128);
    EXPECT_EQ(owner.find(first_flow), first.pid());
    EXPECT_EQ(owner.find(second_flow), second.pid());
  });
}

TEST(SocketOwnerTest, FindsWhoAskedForAName) {
  with_owner([](SocketOwner& owner, BridgeSockets const& sockets) {
    Client const client(SOCK_DGRAM, "127.0.0.1", 53);
    sockaddr_in peer{};
    socklen_t size = sizeof peer;
    char byte = 0;
    ASSERT_EQ(::recvfrom(sockets.fds[socket_order::dns_udp_v4], &byte, 1, 0, reinterpret_cast<sockaddr*>(&peer), &size), 1);
    EXPECT_EQ(owner.find({"udp", "127.0.0.1", ntohs(peer.sin_port), "127.0.0.1", 53}), client.pid());
  });
}

TEST(SocketOwnerTest, FindsNobodyOnceTheClientIsGone) {
  with_owner([](SocketOwner& owner, BridgeSockets const& sockets) {
    Client client(SOCK_STREAM, "127.0.0.1", 3128);
    auto const flow = accept_flow(sockets.fds[socket_order::explicit_v4], "127.0.0.1", 3128);
    client.child().kill(SIGKILL);
    client.child().wait();
    EXPECT_FALSE(owner.find(flow));
  });
}

TEST(SocketOwnerTest, FindsNobodyForWhatIsNoConnection) {
  with_owner([](SocketOwner& owner, BridgeSockets const&) {
    EXPECT_FALSE(owner.find({"tcp", "127.0.0.1", 1, "127.0.0.1", 2}));
    EXPECT_FALSE(owner.find({"tcp", "not an address", 1, "127.0.0.1", 2}));
    EXPECT_FALSE(owner.find({"tcp", "127.0.0.1", 1, "::1", 2}));
    EXPECT_FALSE(owner.find({"udp", "127.0.0.1", 1, "127.0.0.1", 2}));
    EXPECT_FALSE(owner.find({"icmp", "127.0.0.1", 0, "127.0.0.1", 0}));
  });
}

}  // namespace
}  // namespace sallyport::jail
