#include "proxy/client_origin.hpp"

#include "tests/proxy/loopback.hpp"

#include <gtest/gtest.h>

#include <sys/socket.h>
#include <unistd.h>

namespace sallyport::proxy {
namespace {

TEST(ClientOrigin, IsTheClientsAddressAndTheListeners) {
  auto const listener = tests::bound_socket(tests::SocketKind::stream);
  auto const client = tests::connect_to(tests::port_of(listener));
  auto const accepted = UniqueFd::adopt(::accept(listener.get(), nullptr, nullptr), "accept").value();
  auto const origin = client_origin(accepted.get());
  ASSERT_TRUE(origin);
  EXPECT_EQ(origin->flow.protocol, "tcp");
  EXPECT_EQ(origin->flow.local_address, "127.0.0.1");
  EXPECT_EQ(origin->flow.local_port, tests::port_of(client));
  EXPECT_EQ(origin->flow.remote_port, tests::port_of(listener));
  EXPECT_EQ(origin->address, policies::IpAddress::parse("127.0.0.1").value());
}

TEST(ClientOrigin, OfAUnixSocketIsTheUser) {
  int ends[2];
  ASSERT_EQ(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends), 0);
  auto const one = UniqueFd::adopt(ends[0], "one").value();
  auto const other = UniqueFd::adopt(ends[1], "other").value();
  auto const origin = client_origin(one.get());
  ASSERT_TRUE(origin);
  EXPECT_EQ(origin->flow.protocol, "unix");
  EXPECT_EQ(origin->flow.local_address, "uid " + std::to_string(::getuid()));
  EXPECT_FALSE(origin->address);
}

}  // namespace
}  // namespace sallyport::proxy
