#include "proxy/reject_message.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <string>

namespace sallyport::proxy {
namespace {

constexpr std::uint16_t kPayload = 9, kPrefix = 10;  // NFULA_PAYLOAD, NFULA_PREFIX
constexpr std::uint16_t kPacketType = 4 << 8 | 0;    // NFNL_SUBSYS_ULOG, NFULNL_MSG_PACKET

template <class T>
std::string raw(T value) {
  std::string bytes(sizeof value, '\0');
  std::memcpy(bytes.data(), &value, sizeof value);
  return bytes;
}

std::string padded(std::string bytes) {
  bytes.resize((bytes.size() + 3) & ~std::size_t{3}, '\0');
  return bytes;
}

std::string attribute(std::uint16_t type, std::string const& value) {
  return padded(raw(static_cast<std::uint16_t>(value.size() + 4)) + raw(type) + value);
}

std::string message(std::string const& attributes, std::uint16_t type = kPacketType) {
  std::string const body = std::string(4, '\0') + attributes;  // nfgenmsg
  return raw(static_cast<std::uint32_t>(body.size() + 16)) + raw(type) + std::string(10, '\0') + body;
}

std::string v4_packet(char protocol, std::string const& segment) {
  return std::string("\x45\0\0\0\0\0\0\0\x40", 9) + protocol + std::string(2, '\0') + std::string("\x0a\x00\x00\x01", 4) +
         std::string("\x08\x08\x08\x08", 4) + segment;
}

std::string v6_packet(char next_header, std::string const& rest) {
  return std::string("\x60\0\0\0\0\0", 6) + next_header + '\x40' + std::string(15, '\0') + '\x01' +
         std::string("\x20\x01", 2) + std::string(13, '\0') + '\x02' + rest;
}

constexpr std::string_view kPorts("\x30\x39\x00\x7b", 4);  // 12345 to 123

std::vector<RejectedPacket> parse(std::string const& datagram) {
  auto parsed = parse_reject_messages(datagram);
  return parsed ? *parsed : std::vector<RejectedPacket>{};
}

RejectedPacket only(std::string const& packet, std::string const& prefix = std::string("udp\0", 4)) {
  auto const packets = parse(message(attribute(kPrefix, prefix) + attribute(kPayload, packet)));
  EXPECT_EQ(packets.size(), 1U);
  return packets.empty() ? RejectedPacket{{}, 0, policies::IpAddress::from_v4({}), policies::IpAddress::from_v4({})}
                         : packets[0];
}

TEST(RejectMessage, ReadsAddressesAndPortsOfADatagram) {
  auto const packet = only(v4_packet(17, std::string(kPorts) + "data"));
  EXPECT_EQ(packet.prefix, "udp");
  EXPECT_EQ(protocol_name(packet.protocol), "udp");
  EXPECT_EQ(packet.source.to_string(), "10.0.0.1");
  EXPECT_EQ(packet.destination.to_string(), "8.8.8.8");
  EXPECT_EQ(packet.source_port, 12345);
  EXPECT_EQ(packet.destination_port, 123);
}

TEST(RejectMessage, FollowsIpv6ExtensionHeaders) {
  auto const packet = only(v6_packet(0, std::string("\x11\0\0\0\0\0\0\0", 8) + std::string(kPorts)));
  EXPECT_EQ(protocol_name(packet.protocol), "udp");
  EXPECT_EQ(packet.destination.to_string(), "2001::2");
  EXPECT_EQ(packet.destination_port, 123);
}

TEST(RejectMessage, PortsAreLeftOutWhereThereAreNone) {
  EXPECT_EQ(only(v4_packet(1, std::string(kPorts))).destination_port, 0);
  EXPECT_EQ(only(v4_packet(17, "\x30")).destination_port, 0);
  auto fragment = v4_packet(17, std::string(kPorts));
  fragment[7] = 1;  // not the first fragment
  EXPECT_EQ(only(fragment).destination_port, 0);
}

TEST(RejectMessage, ReadsEveryMessageOfADatagramAndSkipsOtherTypes) {
  auto const one = message(attribute(kPayload, v4_packet(17, std::string(kPorts))));
  EXPECT_EQ(parse(one + message("", 3) + one).size(), 2U);
}

TEST(RejectMessage, BrokenInputNeverReadsPastItsEnd) {
  auto const whole = message(attribute(kPrefix, "udp") + attribute(kPayload, v6_packet(0, std::string(64, '\x2b'))));
  for (std::size_t cut = 0; cut < whole.size(); ++cut) parse(whole.substr(0, cut));  // the sanitizers are the judge
  EXPECT_FALSE(parse_reject_messages("short"));
  EXPECT_TRUE(parse(message(attribute(kPayload, "E"))).empty());
  EXPECT_TRUE(parse(message(attribute(kPayload, ""))).empty());
  EXPECT_TRUE(parse(message(attribute(kPayload, std::string("\x41", 1) + std::string(40, '\0')))).empty());
}

TEST(RejectMessage, ALengthBeyondTheDatagramIsAnErrorAndNoLoop) {
  EXPECT_FALSE(parse_reject_messages(std::string(16, '\xff')));
  EXPECT_FALSE(parse_reject_messages(std::string("\x10\0\0\x80", 4) + std::string(12, '\0')));
}

}  // namespace
}  // namespace sallyport::proxy
