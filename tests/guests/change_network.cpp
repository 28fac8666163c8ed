// change_network ATTEMPT: tries to change the network the jail was given, over netlink. An acknowledgement is the escape.
// Sources: rtnetlink(7), include/uapi/linux/netfilter/nf_tables.h.

#include "tests/guests/guest.hpp"

#include <linux/netfilter/nf_tables.h>
#include <linux/netfilter/nfnetlink.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <net/if.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

using namespace sallyport::guests;

namespace {

/// Netlink messages one behind the other.
struct Messages {
  alignas(nlmsghdr) char bytes[2048] = {};
  std::size_t size = 0;

  /// Starts a message; `payload` follows its header.
  template <class Payload>
  nlmsghdr* add(std::uint16_t type, int flags, Payload const& payload) {
    auto* header = reinterpret_cast<nlmsghdr*>(bytes + size);
    header->nlmsg_len = NLMSG_LENGTH(sizeof payload);
    header->nlmsg_type = type;
    header->nlmsg_flags = static_cast<std::uint16_t>(NLM_F_REQUEST | flags);
    std::memcpy(NLMSG_DATA(header), &payload, sizeof payload);
    size += NLMSG_ALIGN(header->nlmsg_len);
    return header;
  }
  void attribute(nlmsghdr* header, std::uint16_t type, void const* data, std::size_t length) {
    auto* attribute = reinterpret_cast<nlattr*>(bytes + size);
    attribute->nla_type = type;
    attribute->nla_len = static_cast<std::uint16_t>(NLA_HDRLEN + length);
    std::memcpy(bytes + size + NLA_HDRLEN, data, length);
    size += NLMSG_ALIGN(attribute->nla_len);
    header->nlmsg_len += NLMSG_ALIGN(attribute->nla_len);
  }
};

void link_down(Messages& m) {
  ifinfomsg link{};
  link.ifi_index = 1;  // lo
  link.ifi_change = IFF_UP;
  m.add(RTM_NEWLINK, NLM_F_ACK, link);
}

void add_dummy_link(Messages& m) {
  auto* header = m.add(RTM_NEWLINK, NLM_F_ACK | NLM_F_CREATE, ifinfomsg{});
  m.attribute(header, IFLA_IFNAME, "guest0", 7);
}

void add_address(Messages& m) {
  ifaddrmsg address{};
  address.ifa_family = AF_INET;
  address.ifa_prefixlen = 24;
  address.ifa_index = 1;
  auto* header = m.add(RTM_NEWADDR, NLM_F_ACK | NLM_F_CREATE, address);
  unsigned char const bytes[4] = {10, 9, 8, 7};
  m.attribute(header, IFA_LOCAL, bytes, sizeof bytes);
}

rtmsg local_default() {
  rtmsg route{};
  route.rtm_family = AF_INET;
  route.rtm_table = RT_TABLE_LOCAL;
  route.rtm_protocol = RTPROT_BOOT;
  route.rtm_scope = RT_SCOPE_HOST;
  route.rtm_type = RTN_LOCAL;
  return route;
}
void delete_route(Messages& m) { m.add(RTM_DELROUTE, NLM_F_ACK, local_default()); }
void add_route(Messages& m) {
  auto* header = m.add(RTM_NEWROUTE, NLM_F_ACK | NLM_F_CREATE, local_default());
  std::uint32_t const lo = 1;
  m.attribute(header, RTA_OIF, &lo, sizeof lo);
}

void nf_tables(Messages& m, std::uint16_t type, int flags, char const* table) {
  nfgenmsg batch{};
  batch.res_id = htons(NFNL_SUBSYS_NFTABLES);
  m.add(NFNL_MSG_BATCH_BEGIN, 0, batch);
  nfgenmsg inet{};
  inet.nfgen_family = 1;  // NFPROTO_INET
  auto* header = m.add(static_cast<std::uint16_t>((NFNL_SUBSYS_NFTABLES << 8) | type), NLM_F_ACK | flags, inet);
  if (table != nullptr) m.attribute(header, NFTA_TABLE_NAME, table, std::strlen(table) + 1);
  m.add(NFNL_MSG_BATCH_END, 0, batch);
}
void flush_rules(Messages& m) { nf_tables(m, NFT_MSG_DELTABLE, 0, nullptr); }
void add_table(Messages& m) { nf_tables(m, NFT_MSG_NEWTABLE, NLM_F_CREATE, "guest"); }

struct Attempt {
  char const* name;
  int protocol;
  void (*build)(Messages&);
};
constexpr Attempt kAttempts[] = {
    {"link_down", NETLINK_ROUTE, link_down},     {"add_link", NETLINK_ROUTE, add_dummy_link},
    {"add_address", NETLINK_ROUTE, add_address}, {"delete_route", NETLINK_ROUTE, delete_route},
    {"add_route", NETLINK_ROUTE, add_route},     {"flush_rules", NETLINK_NETFILTER, flush_rules},
    {"add_table", NETLINK_NETFILTER, add_table},
};

[[noreturn]] void try_it(Attempt const& attempt) {
  int const fd = ::socket(AF_NETLINK, SOCK_RAW, attempt.protocol);
  if (fd < 0) refused(errno);
  Messages messages;
  attempt.build(messages);
  if (::send(fd, messages.bytes, messages.size, 0) < 0) refused(errno);
  alignas(nlmsghdr) char answer[4096];
  auto const n = ::recv(fd, answer, sizeof answer, 0);
  if (n < 0) refused(errno);
  auto const* header = reinterpret_cast<nlmsghdr const*>(answer);
  if (header->nlmsg_type != NLMSG_ERROR) refused_as("NO_ACK");
  int const error = static_cast<nlmsgerr const*>(NLMSG_DATA(header))->error;
  if (error != 0) refused(-error);
  escaped(attempt.name);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) usage("change_network ATTEMPT");
  for (auto const& attempt : kAttempts) {
    if (std::strcmp(attempt.name, argv[1]) == 0) try_it(attempt);
  }
  usage("change_network ATTEMPT: no such attempt");
}
