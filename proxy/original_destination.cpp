#include "proxy/original_destination.hpp"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <linux/netfilter_ipv4.h>

#include <array>
#include <cstring>

namespace sallyport::proxy {
namespace {

// <linux/netfilter_ipv6/ip6_tables.h> has this number, and cannot be included next to <netinet/in.h>.
constexpr int kIp6tOriginalDst = 80;

std::optional<Peer> original_v4(int fd) {
  sockaddr_in address{};
  socklen_t size = sizeof address;
  if (::getsockopt(fd, SOL_IP, SO_ORIGINAL_DST, &address, &size) != 0) return std::nullopt;
  std::array<std::uint8_t, 4> bytes;
  std::memcpy(bytes.data(), &address.sin_addr, bytes.size());
  return Peer{policies::IpAddress::from_v4(bytes), ntohs(address.sin_port)};
}

std::optional<Peer> original_v6(int fd) {
  sockaddr_in6 address{};
  socklen_t size = sizeof address;
  if (::getsockopt(fd, SOL_IPV6, kIp6tOriginalDst, &address, &size) != 0) return std::nullopt;
  std::array<std::uint8_t, 16> bytes;
  std::memcpy(bytes.data(), &address.sin6_addr, bytes.size());
  return Peer{policies::IpAddress::from_v6(bytes), ntohs(address.sin6_port)};
}

}  // namespace

std::optional<Peer> KernelOriginalDestination::of(int fd) const {
  int family = 0;
  socklen_t size = sizeof family;
  if (::getsockopt(fd, SOL_SOCKET, SO_DOMAIN, &family, &size) != 0) return std::nullopt;
  return family == AF_INET6 ? original_v6(fd) : original_v4(fd);
}

}  // namespace sallyport::proxy
