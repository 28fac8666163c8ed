#include "proxy/client_origin.hpp"

#include "proxy/net_address.hpp"

#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/un.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <string>

namespace sallyport::proxy {
namespace {

using GetName = int (*)(int, sockaddr*, socklen_t*);

struct Name {
  sockaddr_storage storage{};
  socklen_t size = sizeof storage;
};

std::optional<Name> name_by(GetName ask, int socket) {
  Name name;
  // SAFETY: the kernel writes at most `size` bytes of the storage.
  if (ask(socket, reinterpret_cast<sockaddr*>(&name.storage), &name.size) != 0) return std::nullopt;
  return name;
}

/// A v4-mapped IPv6 address becomes the IPv4 address.
Peer peer_of(Name const& name) {
  if (name.storage.ss_family == AF_INET) {
    sockaddr_in v4{};
    std::memcpy(&v4, &name.storage, sizeof v4);
    std::array<std::uint8_t, 4> bytes{};
    std::memcpy(bytes.data(), &v4.sin_addr, bytes.size());
    return Peer{policies::IpAddress::from_v4(bytes), ntohs(v4.sin_port)};
  }
  sockaddr_in6 v6{};
  std::memcpy(&v6, &name.storage, sizeof v6);
  std::array<std::uint8_t, 16> bytes{};
  std::memcpy(bytes.data(), &v6.sin6_addr, bytes.size());
  return Peer{policies::IpAddress::from_v6(bytes), ntohs(v6.sin6_port)};
}

std::string path_of(Name const& name) {
  sockaddr_un at{};
  std::memcpy(&at, &name.storage, std::min<std::size_t>(name.size, sizeof at));
  return std::string(at.sun_path, ::strnlen(at.sun_path, sizeof at.sun_path));
}

std::optional<ClientOrigin> local_user(int socket, Name const& listener) {
  ucred who{};
  socklen_t size = sizeof who;
  if (::getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &who, &size) != 0) return std::nullopt;
  return ClientOrigin{audit::Flow{"unix", "uid " + std::to_string(who.uid), 0, path_of(listener), 0}, std::nullopt};
}

}  // namespace

std::optional<ClientOrigin> client_origin(int socket) {
  auto const listener = name_by(::getsockname, socket);
  if (!listener) return std::nullopt;
  if (listener->storage.ss_family == AF_UNIX) return local_user(socket, *listener);
  auto const client = name_by(::getpeername, socket);
  if (!client) return std::nullopt;
  auto const peer = peer_of(*client);
  return ClientOrigin{flow_of("tcp", peer, peer_of(*listener)), peer.address};
}

}  // namespace sallyport::proxy
