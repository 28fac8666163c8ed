#include "proxy/packet_log.hpp"

#include "policies/verdict.hpp"
#include "tests/proxy/fake_audit.hpp"
#include "tests/proxy/stream_pair.hpp"

#include <gtest/gtest.h>

#include <linux/netlink.h>

#include <array>
#include <cstring>
#include <string>
#include <vector>

namespace sallyport::proxy {
namespace {

namespace reason = policies::reason;

RejectedPacket packet(std::string const& prefix, int protocol) {
  return {prefix, protocol, policies::IpAddress::parse("10.0.0.1").value(), policies::IpAddress::parse("8.8.8.8").value(),
          40000,  123};
}

struct ReasonCase {
  std::string prefix;
  int protocol;
  std::string_view reason;
  std::string flow_protocol;
};

TEST(PacketLog, RecordIsADenialWithTheReasonOfItsRule) {
  for (auto const& [prefix, protocol, why, flow_protocol] : std::vector<ReasonCase>{
           {"udp", 17, reason::kUdp, "udp"},
           {"proto", 1, reason::kProtocol, "icmp"},
           {"proto", 132, reason::kProtocol, "132"},
           {"loopback", 6, reason::kHostLoopback, "tcp"},
           {"", 17, reason::kProtocol, "udp"},
       }) {
    SCOPED_TRACE(prefix);
    auto const record = record_of(packet(prefix, protocol), 5);
    EXPECT_EQ(record.id, 5U);
    EXPECT_EQ(record.leg, audit::Leg::packet);
    EXPECT_EQ(record.verdict, "deny");
    EXPECT_EQ(record.reason, why);
    EXPECT_EQ(record.host, "8.8.8.8");
    EXPECT_EQ(record.port, 123);
    EXPECT_EQ(record.flow, (audit::Flow{flow_protocol, "10.0.0.1", 40000, "8.8.8.8", 123}));
  }
}

template <class T>
std::string raw(T value) {
  std::string bytes(sizeof value, '\0');
  std::memcpy(bytes.data(), &value, sizeof value);
  return bytes;
}

/// A message of the kernel's log (<linux/netfilter/nfnetlink_log.h>): an NTP datagram that the rule "udp" rejected.
std::string log_message() {
  constexpr std::uint16_t kPacketType = 4 << 8, kPrefix = 10, kPayload = 9;
  std::string const ip = std::string("\x45\0\0\0\0\0\0\0\x40\x11\0\0\x0a\0\0\1\x08\x08\x08\x08", 20) + "\x30\x39" +
                         std::string("\0\x7b\0\0\0\0", 6);
  auto const attribute = [](std::uint16_t type, std::string const& value) {
    return raw(static_cast<std::uint16_t>(value.size() + 4)) + raw(type) + value;
  };
  auto const body = std::string(4, '\0') + attribute(kPrefix, std::string("udp\0", 4)) + attribute(kPayload, ip);
  return raw(static_cast<std::uint32_t>(body.size() + 16)) + raw(kPacketType) + std::string(10, '\0') + body;
}

struct SocketPair {
  UniqueFd kernel;
  UniqueFd reader;
};
SocketPair socket_pair() {
  std::array<int, 2> ends{-1, -1};
  ::socketpair(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0, ends.data());
  return {UniqueFd::adopt(ends[0], "socketpair").value(), UniqueFd::adopt(ends[1], "socketpair").value()};
}

/// A socket pair stands for the kernel: its datagrams have no netlink sender.
struct Fixture {
  asio::io_context io;
  tests::FakeAudit audit{io};
  SocketPair pair = socket_pair();

  void say(std::string const& datagram) { tests::send_all(pair.kernel.get(), datagram); }
  /// Reads what there is.
  void read() {
    auto const task = asio::co_spawn(io, read_packet_log(std::move(pair.reader), audit), asio::use_future);
    io.poll();
    EXPECT_NE(task.wait_for(std::chrono::seconds(0)), std::future_status::ready) << "it reads until cancelled";
  }
};

TEST(PacketLog, EachPacketIsRecordedWithAnIdOfItsOwn) {
  Fixture log;
  log.say(log_message() + log_message());
  log.say(log_message());
  log.read();
  auto const records = log.audit.wait_for<audit::EgressRequest>(3);
  ASSERT_EQ(records.size(), 3U);
  EXPECT_EQ(records[0].reason, reason::kUdp);
  EXPECT_EQ(records[0].port, 123);
  EXPECT_NE(records[0].id, records[1].id);
  EXPECT_NE(records[1].id, records[2].id);
}

TEST(PacketLog, MessageThatCannotBeReadIsALimitHitAndTheNextOneIsRead) {
  Fixture log;
  log.say(log_message().substr(0, 20));
  log.say(log_message());
  log.read();
  EXPECT_EQ(log.audit.wait_for<audit::EgressRequest>(1).size(), 1U);
  auto const hits = log.audit.wait_for<audit::LimitHit>(1);
  ASSERT_EQ(hits.size(), 1U);
  EXPECT_EQ(hits[0].limit, "packet_log");
}

UniqueFd netlink_socket() {
  auto socket =
      UniqueFd::adopt(::socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC | SOCK_NONBLOCK, NETLINK_USERSOCK), "netlink").value();
  sockaddr_nl any{};
  any.nl_family = AF_NETLINK;
  ::bind(socket.get(), static_cast<sockaddr*>(static_cast<void*>(&any)), sizeof any);
  return socket;
}

TEST(PacketLog, MessageOfAnotherProcessIsNotTheKernels) {
  auto reader = netlink_socket();
  auto const forger = netlink_socket();
  sockaddr_nl to{};
  socklen_t size = sizeof to;
  auto* const address = static_cast<sockaddr*>(static_cast<void*>(&to));
  ASSERT_EQ(::getsockname(reader.get(), address, &size), 0);
  auto const forged = log_message();
  ASSERT_GT(::sendto(forger.get(), forged.data(), forged.size(), 0, address, size), 0);

  int const descriptor = reader.get();
  asio::io_context io;
  tests::FakeAudit audit(io);
  auto task = asio::co_spawn(io, read_packet_log(std::move(reader), audit), asio::use_future);
  io.poll();
  char byte;
  EXPECT_LT(::recv(descriptor, &byte, 1, MSG_DONTWAIT), 0) << "it was read";
  EXPECT_EQ(audit.wait_for<audit::EgressRequest>(0).size(), 0U);
}

}  // namespace
}  // namespace sallyport::proxy
