#include "cli/listen_address.hpp"

#include "policies/port.hpp"

#include <arpa/inet.h>
#include <netdb.h>
#include <sys/socket.h>
#include <sys/un.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <string_view>

namespace sallyport::cli {
namespace {

constexpr int kBacklog = 4096;
constexpr std::string_view kUnixPrefix = "unix:";

struct SocketName {
  sockaddr_storage storage{};
  socklen_t size = 0;
};

template <class Address>
SocketName name_of(Address const& address) {
  SocketName name;
  std::memcpy(&name.storage, &address, sizeof address);
  name.size = sizeof address;
  return name;
}

SocketName name_of(TcpPlace const& place) {
  if (place.address.is_v4()) {
    sockaddr_in v4{};
    v4.sin_family = AF_INET;
    v4.sin_port = htons(place.port);
    std::memcpy(&v4.sin_addr, place.address.v4_bytes().data(), 4);
    return name_of<sockaddr_in>(v4);
  }
  sockaddr_in6 v6{};
  v6.sin6_family = AF_INET6;
  v6.sin6_port = htons(place.port);
  std::memcpy(&v6.sin6_addr, place.address.bytes().data(), 16);
  return name_of<sockaddr_in6>(v6);
}

/// REQUIRES: the path was parsed, so it fits.
SocketName name_of(UnixPlace const& place) {
  sockaddr_un at{};
  at.sun_family = AF_UNIX;
  std::memcpy(at.sun_path, place.path.data(), place.path.size());
  return name_of<sockaddr_un>(at);
}

std::string text_of(TcpPlace const& place) {
  auto const host = place.address.to_string();
  return (place.address.is_v4() ? host : "[" + host + "]") + ":" + std::to_string(place.port);
}
std::string text_of(UnixPlace const& place) { return std::string(kUnixPrefix) + place.path; }

Result<ListenPlace> parse_unix(char const* option, std::string const& path) {
  if (path.starts_with('/') && path.size() < sizeof(sockaddr_un::sun_path))
    return {boost::system::in_place_value, UnixPlace{path}};
  return Error{Code::invalid, 0,
               std::string(option) + ": unix:PATH takes an absolute path of at most " +
                   std::to_string(sizeof(sockaddr_un::sun_path) - 1) + " bytes"};
}

}  // namespace

Result<ListenPlace> parse_listen_place(char const* option, std::string const& text) {
  if (text.starts_with(kUnixPrefix)) return parse_unix(option, text.substr(kUnixPrefix.size()));
  Error const error{Code::invalid, 0,
                    std::string(option) + ": '" + text +
                        "' is not ADDRESS:PORT, for example 127.0.0.1:3128 or [::1]:3128, nor unix:PATH"};
  auto const colon = text.rfind(':');
  if (colon == std::string::npos) return error;
  std::string host = text.substr(0, colon);
  if (host.starts_with('[') && host.ends_with(']')) host = host.substr(1, host.size() - 2);
  auto const address = policies::IpAddress::parse(host);
  auto const digits = text.substr(colon + 1);
  if (address && digits == "0") return {boost::system::in_place_value, TcpPlace{*address, 0}};
  auto const port = policies::parse_port(digits);
  if (!address || !port) return error;
  return {boost::system::in_place_value, TcpPlace{*address, *port}};
}

bool is_exposed(ListenPlace const& place) {
  auto const* tcp = std::get_if<TcpPlace>(&place);
  return tcp != nullptr && policies::classify(tcp->address) != policies::AddressClass::loopback;
}

Result<UniqueFd> open_listener(ListenPlace const& place) {
  auto const name = std::visit([](auto const& each) { return name_of(each); }, place);
  auto const text = std::visit([](auto const& each) { return text_of(each); }, place);
  auto fd = UniqueFd::adopt(::socket(name.storage.ss_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0), "socket");
  if (!fd) return fd.error();
  int const on = 1;
  ::setsockopt(fd->get(), SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  // SAFETY: the storage holds an address of `size` bytes of its family.
  bool const bound = ::bind(fd->get(), reinterpret_cast<sockaddr const*>(&name.storage), name.size) == 0;
  if (!bound && errno == EADDRINUSE && std::holds_alternative<UnixPlace>(place))
    return Error{Code::invalid, 0,
                 "listening on " + text + ": the file is there already; remove it if no other proxy uses it"};
  if (!bound || ::listen(fd->get(), kBacklog) < 0) return Error::os(errno, "listening on " + text);
  return fd;
}

std::string place_of(UniqueFd const& listener) {
  sockaddr_storage storage{};
  socklen_t size = sizeof storage;
  std::array<char, NI_MAXHOST> host{};
  std::array<char, NI_MAXSERV> port{};
  // SAFETY: the storage has room for every family's address.
  auto* const address = reinterpret_cast<sockaddr*>(&storage);
  if (::getsockname(listener.get(), address, &size) != 0) return "an unknown place";
  if (storage.ss_family == AF_UNIX) return std::string(kUnixPrefix) + reinterpret_cast<sockaddr_un const*>(address)->sun_path;
  constexpr int kNumbers = NI_NUMERICHOST | NI_NUMERICSERV;
  if (::getnameinfo(address, size, host.data(), host.size(), port.data(), port.size(), kNumbers) != 0) return "an unknown place";
  std::string const name = host.data();
  return (storage.ss_family == AF_INET6 ? "[" + name + "]" : name) + ":" + port.data();
}

}  // namespace sallyport::cli
