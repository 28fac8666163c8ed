#include "policies/address_class.hpp"

#include <gtest/gtest.h>

namespace sallyport::policies {
namespace {

void ok(std::string_view text, std::string_view canonical) {
  auto const address = IpAddress::parse(text);
  ASSERT_TRUE(address) << text;
  EXPECT_EQ(address->to_string(), canonical);
  EXPECT_EQ(IpAddress::parse(address->to_string()).value(), *address);
}

void bad(std::string_view text) { EXPECT_FALSE(IpAddress::parse(text)) << text; }

void is(AddressClass expected, std::string_view text) {
  auto const address = IpAddress::parse(text);
  ASSERT_TRUE(address) << text;
  EXPECT_EQ(to_string(classify(*address)), to_string(expected)) << text;
}

TEST(IpAddress, ReadsUsualFormsAndWritesOne) {
  ok("192.0.2.1", "192.0.2.1");
  ok("2001:DB8:0:0:0:0:0:1", "2001:db8::1");
  ok("::", "::");
  ok("1:0:0:2:0:0:0:3", "1:0:0:2::3");
}

TEST(IpAddress, MappedIpv4IsTheIpv4Address) {
  ok("::ffff:10.0.0.1", "10.0.0.1");
  ok("::ffff:a00:1", "10.0.0.1");
  EXPECT_TRUE(IpAddress::parse("::ffff:1.2.3.4").value().is_v4());
  EXPECT_EQ(IpAddress::parse("::ffff:1.2.3.4").value(), IpAddress::from_v4({1, 2, 3, 4}));
}

TEST(IpAddress, RefusesOtherSpellings) {
  for (auto text : {"",           "1",          "127.1",      "0x7f.1",   "0x7f.0.0.1",
                    "0177.0.0.1", "2130706433", "127.0.0.01", "1.2.3.4.", " 1.2.3.4",
                    "1.2.3.4 ",   "256.1.1.1",  "1.2.3",      "[::1]",    "fe80::1%eth0",
                    ":::",        "1::2::3",    "12345::",    "::1/64",   "localhost"}) {
    bad(text);
  }
  bad(std::string_view("1.2.3.4\0", 8));
  bad(std::string_view("::1\0x", 5));
}

TEST(Classify, Ipv4) {
  is(AddressClass::public_, "8.8.8.8");
  is(AddressClass::public_, "192.0.2.1");
  is(AddressClass::public_, "198.51.100.1");
  is(AddressClass::public_, "203.0.113.1");
  is(AddressClass::public_, "172.32.0.1");
  is(AddressClass::public_, "172.15.255.255");
  is(AddressClass::public_, "100.128.0.1");
  is(AddressClass::public_, "223.255.255.255");
  is(AddressClass::private_, "10.255.255.255");
  is(AddressClass::private_, "172.16.0.1");
  is(AddressClass::private_, "172.31.255.255");
  is(AddressClass::private_, "192.168.1.1");
  is(AddressClass::loopback, "127.0.0.1");
  is(AddressClass::loopback, "127.255.255.254");
  is(AddressClass::link_local, "169.254.1.1");
  is(AddressClass::cgnat, "100.64.0.1");
  is(AddressClass::cgnat, "100.127.255.255");
  is(AddressClass::multicast, "224.0.0.1");
  is(AddressClass::multicast, "239.255.255.250");
  is(AddressClass::broadcast, "255.255.255.255");
  is(AddressClass::unspecified, "0.0.0.0");
  is(AddressClass::reserved, "0.0.0.1");
  is(AddressClass::reserved, "198.18.0.1");
  is(AddressClass::reserved, "198.19.255.255");
  is(AddressClass::reserved, "240.0.0.1");
  is(AddressClass::reserved, "192.0.0.8");
  is(AddressClass::reserved, "192.88.99.1");
}

TEST(Classify, CloudMetadata) {
  for (auto text :
       {"169.254.169.254", "169.254.170.2", "100.100.100.200", "168.63.129.16", "192.0.0.192", "fd00:ec2::254",
        "fd20:ce::254", "::ffff:169.254.169.254", "64:ff9b::169.254.169.254", "2002:a9fe:a9fe::1", "::169.254.169.254"}) {
    is(AddressClass::metadata, text);
  }
}

TEST(Classify, Ipv6) {
  is(AddressClass::public_, "2606:4700:4700::1111");
  is(AddressClass::public_, "2001:4860:4860::8888");
  is(AddressClass::public_, "2001:db8::1");
  is(AddressClass::loopback, "::1");
  is(AddressClass::unspecified, "::");
  is(AddressClass::unique_local, "fc00::1");
  is(AddressClass::unique_local, "fdff::1");
  is(AddressClass::link_local, "fe80::1");
  is(AddressClass::link_local, "febf::1");
  is(AddressClass::multicast, "ff02::1");
  is(AddressClass::reserved, "fec0::1");
  is(AddressClass::reserved, "100::1");
  is(AddressClass::reserved, "2001:2::1");
  is(AddressClass::reserved, "4000::1");
  is(AddressClass::reserved, "64:ff9b:1::8.8.8.8");
}

TEST(Classify, LooksInsideTransitionForms) {
  is(AddressClass::loopback, "::ffff:127.0.0.1");
  is(AddressClass::loopback, "::127.0.0.1");
  is(AddressClass::reserved, "::8.8.8.8");
  is(AddressClass::private_, "64:ff9b::10.0.0.1");
  is(AddressClass::public_, "64:ff9b::8.8.8.8");
  is(AddressClass::loopback, "2002:7f00:1::");
  is(AddressClass::private_, "2002:c0a8:101::1");
  is(AddressClass::public_, "2002:808:808::1");
  is(AddressClass::private_, "2001:0:808:808::f5ff:fffe");  // Teredo client 10.0.0.1
  is(AddressClass::loopback, "2001:0:7f00:1::f7f7:f7f7");   // Teredo server 127.0.0.1, client 8.8.8.8
  is(AddressClass::public_, "2001:0:808:808::f7f7:f7f7");
}

TEST(Cidr, ReadsBlocksAndSingleAddresses) {
  EXPECT_EQ(Cidr::parse("10.0.0.0/8").value().to_string(), "10.0.0.0/8");
  EXPECT_EQ(Cidr::parse("10.1.2.3").value().to_string(), "10.1.2.3/32");
  EXPECT_EQ(Cidr::parse("fd00::/8").value().to_string(), "fd00::/8");
  EXPECT_EQ(Cidr::parse("::/0").value().to_string(), "::/0");
  EXPECT_TRUE(Cidr::parse("::1").value().is_single_address());
  EXPECT_FALSE(Cidr::parse("10.0.0.0/31").value().is_single_address());
}

TEST(Cidr, RefusesWhatIsNoBlock) {
  for (auto text : {"", "10.0.0.0/", "10.0.0.0/33", "10.0.0.0/-1", "10.0.0.0/08", "10.0.0.0/8 ", "10.0.0.1/8", "::1/64",
                    "fd00::/129", "example.com", "10.0.0.0/8/8"}) {
    EXPECT_FALSE(Cidr::parse(text)) << text;
  }
  EXPECT_NE(Cidr::parse("10.0.0.1/8").error().what.find("write 10.0.0.0/8"), std::string::npos);
}

TEST(Cidr, ContainsExactlyItsAddresses) {
  auto const holds = [](std::string_view cidr, std::string_view address) {
    return Cidr::parse(cidr).value().contains(IpAddress::parse(address).value());
  };
  EXPECT_TRUE(holds("10.2.0.0/15", "10.3.255.255"));
  EXPECT_FALSE(holds("10.2.0.0/15", "10.4.0.0"));
  EXPECT_TRUE(holds("0.0.0.0/0", "255.255.255.255"));
  EXPECT_FALSE(holds("0.0.0.0/0", "2001:db8::1"));
  EXPECT_TRUE(holds("::/0", "1.2.3.4")) << "IPv4 is held v4-mapped";
  EXPECT_TRUE(holds("fd00:1::/33", "fd00:1:7fff::1"));
  EXPECT_FALSE(holds("fd00:1::/33", "fd00:1:8000::1"));
}

TEST(MetadataAddressIn, FindsThemInsideBlocks) {
  EXPECT_EQ(metadata_address_in(Cidr::parse("169.254.0.0/16").value()), IpAddress::parse("169.254.169.254").value());
  EXPECT_EQ(metadata_address_in(Cidr::parse("100.64.0.0/10").value()), IpAddress::parse("100.100.100.200").value());
  EXPECT_TRUE(metadata_address_in(Cidr::parse("fd00::/8").value()));
  EXPECT_FALSE(metadata_address_in(Cidr::parse("10.0.0.0/8").value()));
}

}  // namespace
}  // namespace sallyport::policies
