#include "jail/net_links.hpp"

#include "jail/net_rules.hpp"

#include <arpa/inet.h>
#include <libmnl/libmnl.h>
#include <linux/if.h>
#include <linux/netfilter/nfnetlink.h>
#include <linux/netfilter/nfnetlink_log.h>
#include <linux/rtnetlink.h>

#include <array>
#include <cstring>
#include <span>

namespace sallyport::jail {
namespace {

constexpr int kLoopbackIndex = 1;  // lo is the first device of every namespace
constexpr std::size_t kMessageBytes = 256;
constexpr int kNew = NLM_F_CREATE | NLM_F_EXCL;

using Buffer = std::array<char, kMessageBytes>;

void append(std::vector<std::uint8_t>& out, nlmsghdr const* message) {
  auto const* first = reinterpret_cast<std::uint8_t const*>(message);
  out.insert(out.end(), first, first + NLMSG_ALIGN(message->nlmsg_len));
}

nlmsghdr* begin(Buffer& buffer, std::uint16_t type, int flags) {
  nlmsghdr* header = mnl_nlmsg_put_header(buffer.data());
  header->nlmsg_type = type;
  header->nlmsg_flags = static_cast<std::uint16_t>(NLM_F_REQUEST | flags);
  return header;
}

void append_loopback_up(std::vector<std::uint8_t>& out) {
  Buffer buffer{};
  nlmsghdr* header = begin(buffer, RTM_NEWLINK, 0);
  auto* link = static_cast<ifinfomsg*>(mnl_nlmsg_put_extra_header(header, sizeof(ifinfomsg)));
  link->ifi_index = kLoopbackIndex;
  link->ifi_flags = IFF_UP;
  link->ifi_change = IFF_UP;
  append(out, header);
}

/// `type` and `flags` say whether the route comes or goes.
void append_local_route(std::vector<std::uint8_t>& out, unsigned char family, std::uint16_t type, int flags) {
  Buffer buffer{};
  nlmsghdr* header = begin(buffer, type, flags);
  auto* route = static_cast<rtmsg*>(mnl_nlmsg_put_extra_header(header, sizeof(rtmsg)));
  route->rtm_family = family;
  route->rtm_table = RT_TABLE_LOCAL;
  route->rtm_protocol = RTPROT_STATIC;
  route->rtm_scope = family == AF_INET ? RT_SCOPE_HOST : RT_SCOPE_UNIVERSE;
  route->rtm_type = RTN_LOCAL;
  mnl_attr_put_u32(header, RTA_OIF, kLoopbackIndex);
  append(out, header);
}

nlmsghdr* begin_log_config(Buffer& buffer, int ack) {
  nlmsghdr* header = begin(buffer, (NFNL_SUBSYS_ULOG << 8) | NFULNL_MSG_CONFIG, ack);
  auto* netfilter = static_cast<nfgenmsg*>(mnl_nlmsg_put_extra_header(header, sizeof(nfgenmsg)));
  netfilter->version = NFNETLINK_V0;
  netfilter->res_id = htons(kPacketLogGroup);
  return header;
}

}  // namespace

std::vector<std::uint8_t> build_net_links(Ipv6 ipv6) {
  std::vector<std::uint8_t> out;
  append_loopback_up(out);
  if (ipv6 == Ipv6::present) append_local_route(out, AF_INET6, RTM_NEWROUTE, kNew);
  append_local_route(out, AF_INET, RTM_NEWROUTE, kNew | NLM_F_ACK);
  return out;
}

std::vector<std::uint8_t> build_ipv6_link() {
  std::vector<std::uint8_t> out;
  append_local_route(out, AF_INET6, RTM_NEWROUTE, kNew | NLM_F_ACK);
  return out;
}

std::vector<std::uint8_t> build_net_unlinks(Ipv6 ipv6) {
  std::vector<std::uint8_t> out;
  if (ipv6 == Ipv6::present) append_local_route(out, AF_INET6, RTM_DELROUTE, NLM_F_ACK);
  append_local_route(out, AF_INET, RTM_DELROUTE, NLM_F_ACK);
  return out;
}

std::vector<std::uint8_t> build_packet_log_bind(std::uint32_t snap_bytes) {
  std::vector<std::uint8_t> out;
  Buffer bind_buffer{}, mode_buffer{};
  nlmsghdr* bind = begin_log_config(bind_buffer, 0);
  nfulnl_msg_config_cmd command{};
  command.command = NFULNL_CFG_CMD_BIND;
  mnl_attr_put(bind, NFULA_CFG_CMD, sizeof command, &command);
  append(out, bind);

  nlmsghdr* mode = begin_log_config(mode_buffer, NLM_F_ACK);
  nfulnl_msg_config_mode copy{};
  copy.copy_range = htonl(snap_bytes);
  copy.copy_mode = NFULNL_COPY_PACKET;
  mnl_attr_put(mode, NFULA_CFG_MODE, sizeof copy, &copy);
  std::uint32_t const at_once = htonl(1);  // deliver each packet, do not gather
  mnl_attr_put(mode, NFULA_CFG_QTHRESH, sizeof at_once, &at_once);
  append(out, mode);
  return out;
}

}  // namespace sallyport::jail
