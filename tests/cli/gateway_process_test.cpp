#include "cli/gateway_process.hpp"

#include "audit/channel.hpp"
#include "jail/report.hpp"
#include "tests/jail/forked.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fcntl.h>
#include <linux/netlink.h>
#include <netinet/in.h>
#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>

namespace sallyport::cli {
namespace {

namespace channel = audit::channel;
using namespace jail::socket_order;
using ::testing::HasSubstr;

constexpr int kPatienceMs = 20'000;
constexpr unsigned kNobody = 65534;

jail::Identity identity() {
  return ::geteuid() == 0 ? jail::Identity{kNobody, kNobody, true} : jail::Identity{::geteuid(), ::getegid(), false};
}

int loopback_socket(int type) {
  int const fd = ::socket(AF_INET, type | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  sockaddr_in place{};
  place.sin_family = AF_INET;
  place.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  EXPECT_EQ(::bind(fd, reinterpret_cast<sockaddr*>(&place), sizeof place), 0);
  EXPECT_TRUE(type != SOCK_STREAM || ::listen(fd, 1) == 0);
  return fd;
}

/// The sockets that a jail hands over, made on this host's loopback device.
class JailSockets {
 public:
  JailSockets() {
    fds_[explicit_v4] = loopback_socket(SOCK_STREAM);
    fds_[transparent_v4] = loopback_socket(SOCK_STREAM);
    fds_[dns_udp_v4] = loopback_socket(SOCK_DGRAM);
    fds_[dns_tcp_v4] = loopback_socket(SOCK_STREAM);
    fds_[packet_log] = ::socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC | SOCK_NONBLOCK, NETLINK_NETFILTER);
    fds_[socket_diag] = ::socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_SOCK_DIAG);
  }
  JailSockets(JailSockets const&) = delete;
  JailSockets& operator=(JailSockets const&) = delete;
  ~JailSockets() {
    for (int fd : fds_) ::close(fd);
  }
  int send_to(int socket, unsigned count) const { return jail::send_report_with_fds(socket, {}, fds_.data(), count); }

 private:
  std::array<int, kWithoutIpv6> fds_{};
};

class GatewayProcessTest : public ::testing::Test {
 protected:
  GatewayProcessTest() {
    std::array<int, 2> ends{};
    EXPECT_EQ(::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends.data()), 0);
    jail_end_.emplace(*UniqueFd::adopt(ends[0], "jail"));
    auto started =
        start_gateway({std::make_shared<policies::Policy const>(), {}}, identity(), *UniqueFd::adopt(ends[1], "gateway"));
    EXPECT_TRUE(started);
    gateway_.emplace(*std::move(started));
  }
  ~GatewayProcessTest() override {
    ::kill(gateway_->pid, SIGKILL);
    ::waitpid(gateway_->pid, nullptr, 0);
  }
  /// The gateway's next message.
  channel::ToSupervisor next() const {
    pollfd waiting{gateway_->channels.front().get(), POLLIN, 0};
    if (::poll(&waiting, 1, kPatienceMs) != 1) throw std::runtime_error("the gateway is silent");
    std::array<char, 4096> buffer{};
    ssize_t const got = ::recv(gateway_->channels.front().get(), buffer.data(), buffer.size(), 0);
    auto message = channel::decode_to_supervisor({buffer.data(), static_cast<std::size_t>(std::max<ssize_t>(got, 0))});
    if (!message) throw std::runtime_error(message.error().what);
    return *std::move(message);
  }
  void becomes_ready() const {
    ASSERT_EQ(JailSockets().send_to(jail_end_->get(), kWithoutIpv6), 0);
    EXPECT_TRUE(std::holds_alternative<channel::Ready>(next()));
  }
  void gives_up(std::string const& why) const {
    auto const message = next();
    auto const* fatal = std::get_if<channel::Fatal>(&message);
    ASSERT_NE(fatal, nullptr);
    EXPECT_THAT(fatal->what, HasSubstr(why));
    EXPECT_NE(exit_code(), 0);
  }
  int exit_code() const {
    int status = 0;
    EXPECT_EQ(::waitpid(gateway_->pid, &status, 0), gateway_->pid);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }

  std::optional<UniqueFd> jail_end_;
  std::optional<GatewayProcess> gateway_;
};

TEST_F(GatewayProcessTest, IsReadyOnceItHasTheListeningSockets) { becomes_ready(); }

TEST_F(GatewayProcessTest, EndsWhenItIsTold) {
  becomes_ready();
  auto const stop = channel::encode(channel::ToGateway(channel::Stop{}));
  ASSERT_GT(::send(gateway_->channels.front().get(), stop.data(), stop.size(), MSG_NOSIGNAL), 0);
  EXPECT_EQ(exit_code(), 0);
}

TEST_F(GatewayProcessTest, EndsWithTheSupervisorsEndOfTheChannel) {
  becomes_ready();
  { auto const closed = std::move(gateway_->channels.front()); }
  exit_code();
}

TEST_F(GatewayProcessTest, GivesUpWhenTheJailSendsNoSockets) {
  jail_end_.reset();
  gives_up("ended");
}

TEST_F(GatewayProcessTest, GivesUpWhenTheJailSendsTooFewSockets) {
  ASSERT_EQ(JailSockets().send_to(jail_end_->get(), 2), 0);
  gives_up("wrong number of sockets");
}

TEST(GatewayProcess, KeepsNoDescriptorOfTheSupervisor) {
  int ends[2], sockets[2];
  ASSERT_EQ(::pipe(ends), 0);  // without close-on-exec, as a careless caller has them
  ASSERT_EQ(::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, sockets), 0);
  auto gateway =
      start_gateway({std::make_shared<policies::Policy const>(), {}}, identity(), *UniqueFd::adopt(sockets[1], "gateway"));
  ASSERT_TRUE(gateway);
  ::close(ends[1]);
  pollfd waiting{ends[0], POLLIN, 0};
  EXPECT_EQ(::poll(&waiting, 1, kPatienceMs), 1);
  EXPECT_TRUE(waiting.revents & POLLHUP);  // nobody else can write
  ::close(ends[0]);
  ::close(sockets[0]);
  ::kill(gateway->pid, SIGKILL);
  ::waitpid(gateway->pid, nullptr, 0);
}

TEST(GatewayProcess, DiesWithTheSupervisor) {
  int ends[2];
  ASSERT_EQ(::pipe2(ends, O_CLOEXEC), 0);
  jail::Child supervisor([&] {
    int sockets[2];
    if (::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, sockets) < 0) return 1;
    auto gateway = start_gateway({std::make_shared<policies::Policy const>(), {}}, identity(),
                                 *UniqueFd::adopt(sockets[1], "gateway"));
    if (!gateway) return 1;
    JailSockets().send_to(sockets[0], kWithoutIpv6);
    pollfd ready{gateway->channels.front().get(), POLLIN, 0};
    if (::poll(&ready, 1, kPatienceMs) != 1) return 1;
    if (::write(ends[1], &gateway->pid, sizeof gateway->pid) < 0) return 1;
    ::pause();
    return 0;
  });
  ::close(ends[1]);
  pid_t pid = 0;
  ASSERT_EQ(::read(ends[0], &pid, sizeof pid), static_cast<ssize_t>(sizeof pid));
  auto const pidfd = *UniqueFd::adopt(static_cast<int>(::syscall(SYS_pidfd_open, pid, 0)), "pidfd_open");
  supervisor.kill(SIGKILL);
  pollfd ended{pidfd.get(), POLLIN, 0};
  EXPECT_EQ(::poll(&ended, 1, kPatienceMs), 1);
  ::close(ends[0]);
}

}  // namespace
}  // namespace sallyport::cli
