#include "tests/support/socket_address.hpp"

#include "base/defer.hpp"

#include <arpa/inet.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netdb.h>
#include <sys/socket.h>
#include <array>
#include <cstring>
#include <stdexcept>
#include <system_error>

namespace sallyport::test {

UniqueFd bound_socket(int type, std::string const& address) {
  addrinfo hints{};
  hints.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV;
  hints.ai_socktype = type;
  addrinfo* found = nullptr;
  if (::getaddrinfo(address.c_str(), "0", &hints, &found) != 0) throw std::runtime_error("not an address: " + address);
  Defer release([&] { ::freeaddrinfo(found); });
  auto socket = UniqueFd::adopt(::socket(found->ai_family, type | SOCK_CLOEXEC, 0), "socket").value();
  if (::bind(socket.get(), found->ai_addr, found->ai_addrlen) != 0) {
    throw std::system_error(errno, std::generic_category(), "bind " + address);
  }
  return socket;
}

std::uint16_t local_port(int socket) {
  sockaddr_storage storage{};
  socklen_t size = sizeof storage;
  ::getsockname(socket, reinterpret_cast<sockaddr*>(&storage), &size);  // SAFETY: sockaddr_storage holds any address
  std::uint16_t port = 0;                                               // sin_port and sin6_port stand at the same place
  std::memcpy(&port, reinterpret_cast<char*>(&storage) + 2, sizeof port);
  return ntohs(port);
}

std::optional<std::string> host_address() {
  ifaddrs* list = nullptr;
  if (::getifaddrs(&list) != 0) return std::nullopt;
  Defer release([&] { ::freeifaddrs(list); });
  for (auto* entry = list; entry != nullptr; entry = entry->ifa_next) {
    if (entry->ifa_addr == nullptr || entry->ifa_addr->sa_family != AF_INET || (entry->ifa_flags & IFF_LOOPBACK) != 0)
      continue;
    std::array<char, INET_ADDRSTRLEN> text{};
    ::inet_ntop(AF_INET, &reinterpret_cast<sockaddr_in*>(entry->ifa_addr)->sin_addr, text.data(), text.size());
    return std::string(text.data());
  }
  return std::nullopt;
}

}  // namespace sallyport::test
