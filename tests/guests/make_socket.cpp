// make_socket KIND: opens a socket of a kind that could leave the jail or listen to it. Having it is the escape.

#include "tests/guests/guest.hpp"

#include <linux/if_ether.h>
#include <linux/netlink.h>
#include <netinet/in.h>
#include <sys/socket.h>

using namespace sallyport::guests;

namespace {

struct Kind {
  char const* name;
  int family, type, protocol;
};
constexpr Kind kKinds[] = {
    {"raw_icmp", AF_INET, SOCK_RAW, IPPROTO_ICMP},
    {"raw_tcp", AF_INET, SOCK_RAW, IPPROTO_TCP},
    {"raw_ip", AF_INET, SOCK_RAW, IPPROTO_RAW},
    {"raw_icmp6", AF_INET6, SOCK_RAW, IPPROTO_ICMPV6},
    {"ping", AF_INET, SOCK_DGRAM, IPPROTO_ICMP},
    {"ping6", AF_INET6, SOCK_DGRAM, IPPROTO_ICMPV6},
    {"sctp", AF_INET, SOCK_STREAM, IPPROTO_SCTP},
    {"packet", AF_PACKET, SOCK_RAW, ETH_P_ALL},
    {"packet_dgram", AF_PACKET, SOCK_DGRAM, ETH_P_IP},
    {"alg", AF_ALG, SOCK_SEQPACKET, 0},
    {"vsock", AF_VSOCK, SOCK_STREAM, 0},
    {"vsock_dgram", AF_VSOCK, SOCK_DGRAM, 0},
    {"bluetooth", AF_BLUETOOTH, SOCK_RAW, 0},
    {"can", AF_CAN, SOCK_RAW, 1},
    {"key", AF_KEY, SOCK_RAW, 2},
    {"xdp", AF_XDP, SOCK_RAW, 0},
    {"tipc", AF_TIPC, SOCK_SEQPACKET, 0},
    {"rds", AF_RDS, SOCK_SEQPACKET, 0},
    {"smc", AF_SMC, SOCK_STREAM, 0},
    {"netlink_audit", AF_NETLINK, SOCK_RAW, NETLINK_AUDIT},
    {"netlink_uevent", AF_NETLINK, SOCK_RAW, NETLINK_KOBJECT_UEVENT},
    {"netlink_netfilter", AF_NETLINK, SOCK_RAW, NETLINK_NETFILTER},
    {"netlink_sock_diag", AF_NETLINK, SOCK_RAW, NETLINK_SOCK_DIAG},
    {"netlink_crypto", AF_NETLINK, SOCK_RAW, NETLINK_CRYPTO},
};

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) usage("make_socket KIND");
  for (auto const& kind : kKinds) {
    if (std::strcmp(kind.name, argv[1]) != 0) continue;
    if (::socket(kind.family, kind.type, kind.protocol) < 0) refused(errno);
    escaped(kind.name);
  }
  usage("make_socket KIND: no such kind");
}
