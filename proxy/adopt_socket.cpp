#include "proxy/adopt_socket.hpp"

#include <sys/socket.h>

#include <cerrno>

namespace sallyport::proxy {
namespace {

Result<int> family_of(int fd) {
  int family = 0;
  socklen_t size = sizeof family;
  if (::getsockopt(fd, SOL_SOCKET, SO_DOMAIN, &family, &size) != 0) return Error::os(errno, "listening socket");
  if (family != AF_INET && family != AF_INET6 && family != AF_UNIX)
    return Error{Code::invalid, 0, "listening socket: not IPv4, IPv6 or Unix"};
  return family;
}

template <class AsioSocket>
Result<AsioSocket> adopt(asio::io_context& io, UniqueFd socket) {
  using Protocol = typename AsioSocket::protocol_type;
  auto family = family_of(socket.get());
  if (!family) return family.error();
  AsioSocket adopted(io);
  boost::system::error_code error;
  adopted.assign(*family == AF_INET6 ? Protocol::v6() : Protocol::v4(), socket.get(), error);
  if (error) return Error::os(error.value(), "listening socket");
  static_cast<void>(std::move(socket).release());  // owned by `adopted` now
  return adopted;
}

}  // namespace

Result<Acceptor> adopt_acceptor(asio::io_context& io, UniqueFd socket) { return adopt<Acceptor>(io, std::move(socket)); }

Result<UdpSocket> adopt_udp(asio::io_context& io, UniqueFd socket) { return adopt<UdpSocket>(io, std::move(socket)); }

}  // namespace sallyport::proxy
