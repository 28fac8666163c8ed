#include "jail/socket_words.hpp"

#include <netinet/in.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <string_view>

namespace sallyport::jail {
namespace {

struct Name {
  int number;
  std::string_view constant;
  std::string_view word;
};

constexpr std::array<Name, 14> kFamilies = {{{AF_UNSPEC, "AF_UNSPEC", "unspecified"},
                                             {AF_UNIX, "AF_UNIX", "unix"},
                                             {AF_INET, "AF_INET", "raw"},
                                             {AF_INET6, "AF_INET6", "raw"},
                                             {AF_NETLINK, "AF_NETLINK", "netlink"},
                                             {AF_PACKET, "AF_PACKET", "packet"},
                                             {AF_ALG, "AF_ALG", "alg"},
                                             {AF_VSOCK, "AF_VSOCK", "vsock"},
                                             {AF_BLUETOOTH, "AF_BLUETOOTH", "bluetooth"},
                                             {AF_CAN, "AF_CAN", "can"},
                                             {AF_TIPC, "AF_TIPC", "tipc"},
                                             {AF_KEY, "AF_KEY", "key"},
                                             {AF_XDP, "AF_XDP", "xdp"},
                                             {AF_RDS, "AF_RDS", "rds"}}};

std::string family_constant(int family) {
  auto const found = std::ranges::find(kFamilies, family, &Name::number);
  return found == kFamilies.end() ? std::to_string(family) : std::string(found->constant);
}

std::string type_constant(int type) {
  switch (type & 0xf) {
    case SOCK_STREAM: return "SOCK_STREAM";
    case SOCK_DGRAM: return "SOCK_DGRAM";
    case SOCK_RAW: return "SOCK_RAW";
    case SOCK_SEQPACKET: return "SOCK_SEQPACKET";
    case SOCK_PACKET: return "SOCK_PACKET";
    default: return std::to_string(type & 0xf);
  }
}

}  // namespace

std::string describe(SocketCall const& call) {
  return "socket(" + family_constant(call.family) + ", " + type_constant(call.type) + ", " + std::to_string(call.protocol) + ")";
}

std::string protocol_word(SocketCall const& call) {
  bool const ip = call.family == AF_INET || call.family == AF_INET6;
  if (ip && call.protocol == IPPROTO_ICMP) return "icmp";
  if (ip && call.protocol == IPPROTO_ICMPV6) return "icmpv6";
  auto const found = std::ranges::find(kFamilies, call.family, &Name::number);
  return found == kFamilies.end() ? "family " + std::to_string(call.family) : std::string(found->word);
}

}  // namespace sallyport::jail
