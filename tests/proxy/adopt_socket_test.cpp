#include "proxy/adopt_socket.hpp"

#include "tests/proxy/loopback.hpp"

#include <gtest/gtest.h>

#include <fcntl.h>
#include <sys/socket.h>

namespace sallyport::proxy {
namespace {

using tests::SocketKind;

TEST(AdoptSocket, KeepsThePortItWasBoundTo) {
  asio::io_context io;
  auto tcp = tests::bound_socket(SocketKind::stream);
  auto udp = tests::bound_socket(SocketKind::datagram);
  auto const tcp_port = tests::port_of(tcp);
  auto const udp_port = tests::port_of(udp);
  EXPECT_EQ(adopt_acceptor(io, std::move(tcp)).value().local_endpoint().port(), tcp_port);
  EXPECT_EQ(adopt_udp(io, std::move(udp)).value().local_endpoint().port(), udp_port);
}

TEST(AdoptSocket, DescriptorThatIsNoSocketOfOursIsAnErrorAndIsClosed) {
  asio::io_context io;
  int const file = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
  EXPECT_FALSE(adopt_acceptor(io, UniqueFd::adopt(file, "/dev/null").value()));
  EXPECT_LT(::fcntl(file, F_GETFD), 0);
  int const other = ::socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, 0);
  EXPECT_FALSE(adopt_acceptor(io, UniqueFd::adopt(other, "socket").value()));
  EXPECT_LT(::fcntl(other, F_GETFD), 0);
}

}  // namespace
}  // namespace sallyport::proxy
