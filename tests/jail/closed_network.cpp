#include "tests/jail/closed_network.hpp"

#include <arpa/inet.h>
#include <libmnl/libmnl.h>
#include <linux/netfilter/nfnetlink.h>
#include <linux/netfilter/nfnetlink_log.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <stdexcept>
#include <system_error>

namespace sallyport::jail {
namespace {

constexpr timeval kDialPatience{3, 0};
constexpr timeval kDatagramPatience{0, 500'000};
constexpr int kReportMilliseconds = 200;

void require(int error, char const* what) {
  if (error != 0) throw std::system_error(error, std::generic_category(), what);
}

struct Address {
  sockaddr_storage storage{};
  socklen_t size = 0;
  sockaddr const* get() const { return reinterpret_cast<sockaddr const*>(&storage); }
};

Address to_address(std::string const& text, std::uint16_t port) {
  Address out;
  sockaddr_in v4{};
  v4.sin_family = AF_INET;
  v4.sin_port = htons(port);
  sockaddr_in6 v6{};
  v6.sin6_family = AF_INET6;
  v6.sin6_port = htons(port);
  if (::inet_pton(AF_INET, text.c_str(), &v4.sin_addr) == 1) {
    std::memcpy(&out.storage, &v4, out.size = sizeof v4);
  } else if (::inet_pton(AF_INET6, text.c_str(), &v6.sin6_addr) == 1) {
    std::memcpy(&out.storage, &v6, out.size = sizeof v6);
  } else {
    require(EINVAL, text.c_str());
  }
  return out;
}

UniqueFd open_socket(Address const& address, int type, timeval patience) {
  auto fd = UniqueFd::adopt(::socket(address.storage.ss_family, type | SOCK_CLOEXEC, 0), "socket");
  if (!fd) throw std::runtime_error(fd.error().what);
  ::setsockopt(fd->get(), SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
  ::setsockopt(fd->get(), SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
  return *std::move(fd);
}

/// Attribute callback: the text of NFULA_PREFIX.
int take_prefix(nlattr const* attribute, void* out) {
  if (mnl_attr_get_type(attribute) == NFULA_PREFIX) *static_cast<std::string*>(out) = mnl_attr_get_str(attribute);
  return MNL_CB_OK;
}

}  // namespace

Ipv6 host_ipv6() {
  int const fd = ::socket(AF_INET6, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (fd >= 0) ::close(fd);
  return fd >= 0 ? Ipv6::present : Ipv6::absent;
}

Plan network_plan() {
  Plan plan;
  plan.ipv6 = host_ipv6();
  plan.net_links = build_net_links(plan.ipv6);
  plan.net_rules = build_net_rules(plan.ports);
  plan.packet_log_bind = build_packet_log_bind(128);
  return plan;
}

BridgeSockets close_network(Plan const& plan) {
  BridgeSockets sockets{};
  require(bring_up_loopback(plan), "loopback");
  require(load_net_rules(plan), "packet filter");
  require(open_listeners(plan, sockets), "listeners");
  require(open_packet_log(plan, sockets), "packet log");
  require(open_socket_diag(sockets), "socket_diag");
  return sockets;
}

int dial(std::string const& address, std::uint16_t port) {
  auto const target = to_address(address, port);
  auto const fd = open_socket(target, SOCK_STREAM, kDialPatience);
  if (::connect(fd.get(), target.get(), target.size) == 0) return 0;
  return errno == EINPROGRESS ? ETIMEDOUT : errno;
}

int send_datagram(std::string const& address, std::uint16_t port) {
  auto const target = to_address(address, port);
  auto const fd = open_socket(target, SOCK_DGRAM, kDatagramPatience);
  if (::connect(fd.get(), target.get(), target.size) < 0) return errno;
  if (::send(fd.get(), "x", 1, 0) < 0) return errno;
  char answer = 0;
  return ::recv(fd.get(), &answer, 1, 0) < 0 ? errno : 0;
}

bool takes_connection(int listener) {
  int const fd = ::accept4(listener, nullptr, nullptr, SOCK_CLOEXEC);
  if (fd >= 0) ::close(fd);
  return fd >= 0;
}

bool takes_datagram(int socket) {
  char byte = 0;
  return ::recv(socket, &byte, 1, MSG_DONTWAIT) == 1;
}

std::vector<std::string> reported(int packet_log) {
  std::vector<std::string> out;
  alignas(nlmsghdr) char buffer[8192];
  pollfd waiting{packet_log, POLLIN, 0};
  while (::poll(&waiting, 1, kReportMilliseconds) == 1) {
    ssize_t const got = ::recv(packet_log, buffer, sizeof buffer, 0);
    if (got <= 0) break;
    int left = static_cast<int>(got);
    for (auto* header = reinterpret_cast<nlmsghdr*>(buffer); mnl_nlmsg_ok(header, left);
         header = mnl_nlmsg_next(header, &left)) {
      std::string prefix;
      mnl_attr_parse(header, sizeof(nfgenmsg), take_prefix, &prefix);
      if (!prefix.empty()) out.push_back(prefix);
    }
  }
  return out;
}

}  // namespace sallyport::jail
