#include "jail/attached_network.hpp"

#include "jail/receive.hpp"
#include "tests/jail/closed_network.hpp"
#include "tests/jail/forked.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fcntl.h>
#include <sched.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <fstream>

namespace sallyport::jail {
namespace {

using ::testing::HasSubstr;

struct SocketPair {
  SocketPair() {
    std::array<int, 2> pair{};
    EXPECT_EQ(::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair.data()), 0);
    gateway.emplace(*UniqueFd::adopt(pair[0], "pair"));
    ours.emplace(*UniqueFd::adopt(pair[1], "pair"));
  }
  std::optional<UniqueFd> gateway, ours;
};

/// A container: a network namespace with loopback, down, and what the test does besides.
class Container {
 public:
  explicit Container(std::function<int()> prepare = [] { return 0; })
      : child_([this, prepare] {
          if (::unshare(CLONE_NEWUSER | CLONE_NEWNET) < 0 || prepare() != 0) return 1;
          ready_.open();
          return ::pause();
        }) {
    ready_.close_writer();
    ready_.pass();
  }
  AttachTarget target() const {
    auto target = open_process(child_.pid());
    if (!target) throw std::runtime_error(target.error().what);
    return *std::move(target);
  }
  /// In a process that has entered the namespace.
  int dial(std::string const& address) const {
    auto const at = target();
    Child visitor([&] {
      if (::setns(at.network.get(), CLONE_NEWNET) < 0 &&
          (::setns(at.owner.get(), CLONE_NEWUSER) < 0 || ::setns(at.network.get(), CLONE_NEWNET) < 0))
        return 255;
      return jail::dial(address, 443);
    });
    return WEXITSTATUS(visitor.wait());
  }

 private:
  Gate ready_;
  Child child_;
};

TEST(AttachedNetwork, BringsEveryDialToTheSocketsItHandsOver) {
  Container const container;
  SocketPair sockets;
  auto network = attach_network(container.target(), sockets.ours->get());
  ASSERT_TRUE(network) << network.error().what;
  auto const handed = receive_report(sockets.gateway->get(), std::chrono::seconds(1));
  ASSERT_TRUE(handed);
  ASSERT_GE(handed->fds.size(), socket_order::kWithoutIpv6);
  EXPECT_EQ(container.dial("1.1.1.1"), 0);
  EXPECT_TRUE(takes_connection(handed->fds[socket_order::transparent_v4].get()));
}

TEST(AttachedNetwork, IsGoneAfterDetach) {
  Container const container;
  SocketPair sockets;
  auto network = attach_network(container.target(), sockets.ours->get());
  ASSERT_TRUE(network) << network.error().what;
  detach_network(*std::move(network));
  EXPECT_EQ(container.dial("1.1.1.1"), ENETUNREACH);
}

TEST(AttachedNetwork, EveryStepThatFailsLeavesNothingBehind) {
  Container const container;
  for (auto step = AttachStep::enter; step <= AttachStep::hand_over; step = static_cast<AttachStep>(static_cast<int>(step) + 1)) {
    SocketPair sockets;
    auto const network = attach_network(container.target(), sockets.ours->get(), step);
    ASSERT_FALSE(network) << describe(step);
    EXPECT_THAT(network.error().what, HasSubstr(std::string(describe(step))));
    EXPECT_EQ(container.dial("1.1.1.1"), ENETUNREACH) << describe(step);
  }
  SocketPair sockets;
  EXPECT_TRUE(attach_network(container.target(), sockets.ours->get()));
}

TEST(AttachedNetwork, ASecondOneIsRefusedAndLeavesTheFirst) {
  Container const container;
  SocketPair first, second;
  auto const network = attach_network(container.target(), first.ours->get());
  ASSERT_TRUE(network) << network.error().what;
  auto const again = attach_network(container.target(), second.ours->get());
  ASSERT_FALSE(again);
  EXPECT_THAT(again.error().what, HasSubstr("already"));
  EXPECT_EQ(container.dial("1.1.1.1"), 0);
}

TEST(AttachedNetwork, ADeviceBesidesLoopbackIsRefused) {
  auto const mapping = "0 " + std::to_string(::getuid()) + " 1";
  Container const container([mapping] {
    std::ofstream("/proc/self/uid_map") << mapping;  // root of its own, or `ip` would have no power over the network
    return std::system("ip link add outside type veth peer name inside && ip link set outside up && ip link set inside up");
  });
  SocketPair sockets;
  auto const network = attach_network(container.target(), sockets.ours->get());
  ASSERT_FALSE(network);
  EXPECT_THAT(network.error().what, HasSubstr("--network none"));
}

}  // namespace
}  // namespace sallyport::jail
