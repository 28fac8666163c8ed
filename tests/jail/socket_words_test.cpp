#include "jail/socket_words.hpp"

#include <gtest/gtest.h>

#include <netinet/in.h>
#include <sys/socket.h>

namespace sallyport::jail {
namespace {

void says(SocketCall const& call, std::string const& text, std::string const& word) {
  EXPECT_EQ(describe(call), text);
  EXPECT_EQ(protocol_word(call), word) << text;
}

TEST(SocketWords, NamesWhatAnAuditorLooksFor) {
  says({AF_PACKET, SOCK_RAW, 768}, "socket(AF_PACKET, SOCK_RAW, 768)", "packet");
  says({AF_INET, SOCK_RAW, IPPROTO_RAW}, "socket(AF_INET, SOCK_RAW, 255)", "raw");
  says({AF_INET6, SOCK_RAW, IPPROTO_TCP}, "socket(AF_INET6, SOCK_RAW, 6)", "raw");
  says({AF_INET, SOCK_DGRAM, IPPROTO_ICMP}, "socket(AF_INET, SOCK_DGRAM, 1)", "icmp");
  says({AF_INET6, SOCK_DGRAM, IPPROTO_ICMPV6}, "socket(AF_INET6, SOCK_DGRAM, 58)", "icmpv6");
  says({AF_NETLINK, SOCK_RAW, 12}, "socket(AF_NETLINK, SOCK_RAW, 12)", "netlink");
  says({AF_VSOCK, SOCK_STREAM, 0}, "socket(AF_VSOCK, SOCK_STREAM, 0)", "vsock");
  says({AF_ALG, SOCK_SEQPACKET, 0}, "socket(AF_ALG, SOCK_SEQPACKET, 0)", "alg");
}

TEST(SocketWords, IgnoresTheFlagsInTheType) {
  says({AF_PACKET, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0}, "socket(AF_PACKET, SOCK_DGRAM, 0)", "packet");
}

TEST(SocketWords, ShowsTheNumberWhereThereIsNoName) {
  says({999, 11, -1}, "socket(999, 11, -1)", "family 999");
  says({-1, SOCK_STREAM, 0}, "socket(-1, SOCK_STREAM, 0)", "family -1");
}

}  // namespace
}  // namespace sallyport::jail
