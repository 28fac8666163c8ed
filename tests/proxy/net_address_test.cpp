#include "proxy/net_address.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace sallyport::proxy {
namespace {

TEST(NetAddress, GoesThereAndBack) {
  for (std::string const text : {"0.0.0.0", "127.0.0.1", "198.18.0.1", "255.255.255.255", "::", "::1", "2001:db8::1"}) {
    auto const address = policies::IpAddress::parse(text).value();
    EXPECT_EQ(to_asio(address).to_string(), text);
    EXPECT_EQ(to_asio(address).is_v4(), address.is_v4()) << text;
    EXPECT_EQ(from_asio(asio::ip::make_address(text)), address) << text;
  }
}

TEST(NetAddress, MappedAddressIsTheIpv4Address) {
  auto const address = from_asio(asio::ip::make_address("::ffff:192.0.2.1"));
  EXPECT_EQ(address.to_string(), "192.0.2.1");
  EXPECT_TRUE(to_asio(address).is_v4());
}

TEST(NetAddress, FlowKeepsTheTwoEndsApart) {
  Peer const jailed{policies::IpAddress::parse("127.0.0.1").value(), 40000};
  Peer const dialled{policies::IpAddress::parse("2001:db8::1").value(), 443};
  EXPECT_EQ(flow_of("udp", jailed, dialled), (audit::Flow{"udp", "127.0.0.1", 40000, "2001:db8::1", 443}));
}

}  // namespace
}  // namespace sallyport::proxy
