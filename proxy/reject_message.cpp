#include "proxy/reject_message.hpp"

#include <netinet/in.h>

#include <libmnl/libmnl.h>
#include <linux/netfilter/nfnetlink.h>
#include <linux/netfilter/nfnetlink_log.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <optional>

namespace sallyport::proxy {
namespace {

constexpr int kPacketMessage = NFNL_SUBSYS_ULOG << 8 | NFULNL_MSG_PACKET;
constexpr int kMaxExtensionHeaders = 8;  // a packet with more is logged with what was found

std::uint8_t byte_at(std::string_view bytes, std::size_t at) { return static_cast<std::uint8_t>(bytes[at]); }

template <std::size_t N>
std::array<std::uint8_t, N> bytes_at(std::string_view bytes, std::size_t at) {
  std::array<std::uint8_t, N> copy;
  std::memcpy(copy.data(), bytes.data() + at, N);
  return copy;
}

void read_ports(RejectedPacket& packet, std::string_view segment) {
  bool const has_ports = packet.protocol == IPPROTO_TCP || packet.protocol == IPPROTO_UDP;
  if (!has_ports || segment.size() < 4) return;
  packet.source_port = static_cast<std::uint16_t>(byte_at(segment, 0) << 8 | byte_at(segment, 1));
  packet.destination_port = static_cast<std::uint16_t>(byte_at(segment, 2) << 8 | byte_at(segment, 3));
}

std::optional<RejectedPacket> read_v4(std::string_view packet) {
  constexpr std::size_t kMinHeader = 20;
  if (packet.size() < kMinHeader) return std::nullopt;
  std::size_t const header = std::size_t{byte_at(packet, 0) & 0x0fU} * 4;
  if (header < kMinHeader) return std::nullopt;
  RejectedPacket read{{},
                      byte_at(packet, 9),
                      policies::IpAddress::from_v4(bytes_at<4>(packet, 12)),
                      policies::IpAddress::from_v4(bytes_at<4>(packet, 16))};
  bool const first_fragment = (byte_at(packet, 6) & 0x1fU) == 0 && byte_at(packet, 7) == 0;
  if (first_fragment && packet.size() > header) read_ports(read, packet.substr(header));
  return read;
}

bool is_extension(int next_header) {
  return next_header == IPPROTO_HOPOPTS || next_header == IPPROTO_ROUTING || next_header == IPPROTO_DSTOPTS;
}

std::optional<RejectedPacket> read_v6(std::string_view packet) {
  constexpr std::size_t kHeader = 40;
  if (packet.size() < kHeader) return std::nullopt;
  RejectedPacket read{{},
                      byte_at(packet, 6),
                      policies::IpAddress::from_v6(bytes_at<16>(packet, 8)),
                      policies::IpAddress::from_v6(bytes_at<16>(packet, 24))};
  auto rest = packet.substr(kHeader);
  for (int hops = 0; hops < kMaxExtensionHeaders && is_extension(read.protocol) && rest.size() >= 2; ++hops) {
    read.protocol = byte_at(rest, 0);
    rest.remove_prefix(std::min(rest.size(), (std::size_t{byte_at(rest, 1)} + 1) * 8));
  }
  read_ports(read, rest);
  return read;
}

std::optional<RejectedPacket> read_packet(std::string_view packet) {
  if (packet.empty()) return std::nullopt;
  switch (byte_at(packet, 0) >> 4) {
    case 4:
      return read_v4(packet);
    case 6:
      return read_v6(packet);
    default:
      return std::nullopt;
  }
}

/// The attributes of one message that matter here; views into it.
struct Attributes {
  std::string_view payload;
  std::string_view prefix;
};

Attributes read_attributes(nlmsghdr const& message) {
  Attributes attributes;
  auto const* const end = static_cast<char const*>(mnl_nlmsg_get_payload_tail(&message));
  auto const* attribute = static_cast<nlattr const*>(mnl_nlmsg_get_payload_offset(&message, sizeof(nfgenmsg)));
  auto const left = [&] { return static_cast<int>(end - static_cast<char const*>(static_cast<void const*>(attribute))); };
  for (; mnl_attr_ok(attribute, left()); attribute = mnl_attr_next(attribute)) {
    std::string_view const value(static_cast<char const*>(mnl_attr_get_payload(attribute)),
                                 mnl_attr_get_payload_len(attribute));
    if (mnl_attr_get_type(attribute) == NFULA_PAYLOAD) attributes.payload = value;
    if (mnl_attr_get_type(attribute) == NFULA_PREFIX) attributes.prefix = value.substr(0, value.find('\0'));
  }
  return attributes;
}

void append_packet(std::vector<RejectedPacket>& packets, nlmsghdr const& message) {
  if (message.nlmsg_type != kPacketMessage || message.nlmsg_len < NLMSG_HDRLEN + sizeof(nfgenmsg)) return;
  auto const attributes = read_attributes(message);
  auto packet = read_packet(attributes.payload);
  if (!packet) return;
  packet->prefix = attributes.prefix;
  packets.push_back(std::move(*packet));
}

}  // namespace

Result<std::vector<RejectedPacket>> parse_reject_messages(std::string_view datagram) {
  // libmnl reads headers in place: the copy is aligned for them and padded as the last message may not be.
  std::vector<std::uint32_t> aligned((datagram.size() + NLMSG_ALIGNTO) / sizeof(std::uint32_t) + 1);
  std::memcpy(aligned.data(), datagram.data(), datagram.size());
  std::vector<RejectedPacket> packets;
  int left = static_cast<int>(datagram.size());
  auto const* message = static_cast<nlmsghdr const*>(static_cast<void const*>(aligned.data()));
  while (left > 0) {
    // mnl_nlmsg_ok compares lengths as int: one of 2 GiB and more would pass it.
    if (!mnl_nlmsg_ok(message, left) || message->nlmsg_len > static_cast<std::uint32_t>(left))
      return Error{Code::invalid, 0, "packet log: a message is longer than its datagram"};
    append_packet(packets, *message);
    message = mnl_nlmsg_next(message, &left);
  }
  return packets;
}

std::string protocol_name(int protocol) {
  switch (protocol) {
    case IPPROTO_TCP:
      return "tcp";
    case IPPROTO_UDP:
      return "udp";
    case IPPROTO_ICMP:
      return "icmp";
    case IPPROTO_ICMPV6:
      return "icmpv6";
    default:
      return std::to_string(protocol);
  }
}

}  // namespace sallyport::proxy
