#include "proxy/original_destination.hpp"

#include "tests/proxy/loopback.hpp"

#include <gtest/gtest.h>

#include <fcntl.h>
#include <sys/socket.h>

namespace sallyport::proxy {
namespace {

// The answer behind a redirect rule needs a network namespace of its own: the integration tests look at it.

TEST(OriginalDestination, DatagramSocketHasNone) {
  auto const socket = tests::bound_socket(tests::SocketKind::datagram);
  EXPECT_FALSE(KernelOriginalDestination().of(socket.get()));
}

TEST(OriginalDestination, ConnectionThatWasNotRedirectedHasNoOtherDestination) {
  auto const listener = tests::bound_socket(tests::SocketKind::stream);
  auto const client = tests::connect_to(tests::port_of(listener));
  auto const accepted = UniqueFd::adopt(::accept4(listener.get(), nullptr, nullptr, SOCK_CLOEXEC), "accept").value();
  auto const destination = KernelOriginalDestination().of(accepted.get());
  if (!destination) return;
  EXPECT_EQ(destination->address.to_string(), "127.0.0.1");  // where connection tracking follows every connection
  EXPECT_EQ(destination->port, tests::port_of(listener));
}

TEST(OriginalDestination, DescriptorThatIsNoInternetSocketHasNone) {
  auto const null = UniqueFd::adopt(::open("/dev/null", O_RDONLY | O_CLOEXEC), "/dev/null").value();
  auto const local = UniqueFd::adopt(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0), "socket").value();
  auto const v6 = UniqueFd::adopt(::socket(AF_INET6, SOCK_STREAM | SOCK_CLOEXEC, 0), "socket").value();
  for (int const fd : {-1, null.get(), local.get(), v6.get()}) { EXPECT_FALSE(KernelOriginalDestination().of(fd)) << fd; }
}

}  // namespace
}  // namespace sallyport::proxy
