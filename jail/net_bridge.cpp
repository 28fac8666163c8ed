#include "jail/net_bridge.hpp"

#include <netinet/in.h>

#include <arpa/inet.h>
#include <linux/netlink.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <span>

namespace sallyport::jail {
namespace {

constexpr int kBacklog = 4096;
constexpr int kPacketLogBytes = 512 * 1024;  // receive buffer; what does not fit is counted as lost

/// Reads acknowledgements of `fd` until one says 0. The kernel handles a request inside sendto(2), so they are there already.
int read_acknowledgement(int fd) noexcept {
  alignas(nlmsghdr) char buffer[8192];
  for (;;) {
    ssize_t const received = ::recv(fd, buffer, sizeof buffer, MSG_DONTWAIT);
    if (received < 0) return errno == EAGAIN ? EPROTO : errno;
    // SAFETY: NLMSG_OK checks the length before each header is read.
    auto left = static_cast<unsigned>(received);
    for (auto* header = reinterpret_cast<nlmsghdr*>(buffer); NLMSG_OK(header, left); header = NLMSG_NEXT(header, left)) {
      if (header->nlmsg_type != NLMSG_ERROR) continue;
      int const error = static_cast<nlmsgerr*>(NLMSG_DATA(header))->error;
      return -error;
    }
  }
}

}  // namespace

int netlink_socket(int protocol, int flags) noexcept {
  return ::socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC | flags, protocol);
}

int transact(int fd, std::span<std::uint8_t const> request) noexcept {
  sockaddr_nl kernel{};
  kernel.nl_family = AF_NETLINK;
  if (::sendto(fd, request.data(), request.size(), 0, reinterpret_cast<sockaddr*>(&kernel), sizeof kernel) < 0) return errno;
  return read_acknowledgement(fd);
}

namespace {

int transact_once(int protocol, std::span<std::uint8_t const> request) noexcept {
  int const fd = netlink_socket(protocol, 0);
  if (fd < 0) return errno;
  int const error = transact(fd, request);
  ::close(fd);
  return error;
}

struct Wanted {
  unsigned slot;
  int family;
  int type;
  std::uint16_t port;
};

int bind_loopback(int fd, Wanted const& wanted) noexcept {
  int const on = 1;
  if (wanted.family == AF_INET) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(wanted.port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    return ::bind(fd, reinterpret_cast<sockaddr*>(&address), sizeof address) < 0 ? errno : 0;
  }
  if (::setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &on, sizeof on) < 0) return errno;
  sockaddr_in6 address{};
  address.sin6_family = AF_INET6;
  address.sin6_port = htons(wanted.port);
  address.sin6_addr = in6addr_loopback;
  return ::bind(fd, reinterpret_cast<sockaddr*>(&address), sizeof address) < 0 ? errno : 0;
}

int open_one(Wanted const& wanted, BridgeSockets& sockets) noexcept {
  int const fd = ::socket(wanted.family, wanted.type | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (fd < 0) return errno;
  sockets.fds[wanted.slot] = fd;
  int const on = 1;  // connections of a gateway that ended may still linger; a listener of somebody else's is an error all the same
  if (wanted.type == SOCK_STREAM && ::setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on) < 0) return errno;
  if (int error = bind_loopback(fd, wanted)) return error;
  if (wanted.type == SOCK_STREAM && ::listen(fd, kBacklog) < 0) return errno;
  return 0;
}

}  // namespace

int bring_up_loopback(Plan const& plan) noexcept { return transact_once(NETLINK_ROUTE, plan.net_links); }

int load_net_rules(Plan const& plan) noexcept { return transact_once(NETLINK_NETFILTER, plan.net_rules); }

int open_listeners(Plan const& plan, BridgeSockets& sockets) noexcept {
  using namespace socket_order;
  NetPorts const& p = plan.ports;
  Wanted const wanted[] = {
      {explicit_v4, AF_INET, SOCK_STREAM, p.explicit_proxy}, {transparent_v4, AF_INET, SOCK_STREAM, p.transparent},
      {dns_udp_v4, AF_INET, SOCK_DGRAM, p.dns},              {dns_tcp_v4, AF_INET, SOCK_STREAM, p.dns},
      {explicit_v6, AF_INET6, SOCK_STREAM, p.explicit_proxy}, {transparent_v6, AF_INET6, SOCK_STREAM, p.transparent},
      {dns_udp_v6, AF_INET6, SOCK_DGRAM, p.dns},             {dns_tcp_v6, AF_INET6, SOCK_STREAM, p.dns}};
  for (Wanted const& w : wanted) {
    if (w.family == AF_INET6 && plan.ipv6 == Ipv6::absent) continue;
    if (int error = open_one(w, sockets)) return error;
  }
  return 0;
}

int open_packet_log(Plan const& plan, BridgeSockets& sockets) noexcept {
  int const fd = netlink_socket(NETLINK_NETFILTER, SOCK_NONBLOCK);
  if (fd < 0) return errno;
  sockets.fds[socket_order::packet_log] = fd;
  if (::setsockopt(fd, SOL_SOCKET, SO_RCVBUFFORCE, &kPacketLogBytes, sizeof kPacketLogBytes) < 0)
    static_cast<void>(::setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &kPacketLogBytes, sizeof kPacketLogBytes));  // the default will do
  return transact(fd, plan.packet_log_bind);
}

int open_socket_diag(BridgeSockets& sockets) noexcept {
  int const fd = netlink_socket(NETLINK_SOCK_DIAG, SOCK_NONBLOCK);
  if (fd < 0) return errno;
  sockets.fds[socket_order::socket_diag] = fd;
  return 0;
}

}  // namespace sallyport::jail
