#include "jail/socket_address.hpp"

#include <gtest/gtest.h>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/un.h>
#include <unistd.h>

namespace sallyport::jail {
namespace {

template <class Address>
std::optional<Dial> read(Address const& address) {
  return read_dial(ProcessMemory(::getpid()), reinterpret_cast<std::uint64_t>(&address));
}

TEST(ReadDial, TakesIpv4AndIpv6Apart) {
  sockaddr_in v4{};
  v4.sin_family = AF_INET;
  v4.sin_port = htons(443);
  ::inet_pton(AF_INET, "1.1.1.1", &v4.sin_addr);
  EXPECT_EQ(read(v4), (Dial{"1.1.1.1", 443}));
  sockaddr_in6 v6{};
  v6.sin6_family = AF_INET6;
  v6.sin6_port = htons(53);
  ::inet_pton(AF_INET6, "2001:db8::1", &v6.sin6_addr);
  EXPECT_EQ(read(v6), (Dial{"2001:db8::1", 53}));
}

TEST(ReadDial, KnowsNoOtherFamilies) {
  sockaddr_un unix_address{};
  unix_address.sun_family = AF_UNIX;
  EXPECT_FALSE(read(unix_address));
  EXPECT_FALSE(read_dial(ProcessMemory(::getpid()), 0));
}

}  // namespace
}  // namespace sallyport::jail
