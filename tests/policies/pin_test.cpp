#include "policies/pin.hpp"

#include <gtest/gtest.h>

namespace sallyport::policies {
namespace {

void ok(std::string_view text, std::string_view host, int port, std::string_view address, int to_port) {
  auto const pin = parse_pin(text);
  ASSERT_TRUE(pin) << text << ": " << pin.error().what;
  EXPECT_EQ(pin->host.str(), host);
  EXPECT_EQ(pin->port, port);
  EXPECT_EQ(pin->address.to_string(), address);
  EXPECT_EQ(pin->to_port, to_port);
}

TEST(ParsePin, ReadsHostPortAddressAndPort) {
  ok("Example.com:443:127.0.0.1", "example.com", 443, "127.0.0.1", 0);
  ok("example.com:443:127.0.0.1:8443", "example.com", 443, "127.0.0.1", 8443);
  ok("example.com:443:[::1]:8443", "example.com", 443, "::1", 8443);
  ok("example.com:*:[::1]", "example.com", 0, "::1", 0);
  ok("[2001:db8::1]:80:10.0.0.1:8080", "2001:db8::1", 80, "10.0.0.1", 8080);
}

TEST(ParsePin, RefusesTheRest) {
  for (auto text : {"", "example.com", "example.com:443", "example.com::127.0.0.1", "example.com:0:127.0.0.1",
                    "example.com:443:", "example.com:443:localhost", "example.com:443:127.1",
                    "example.com:443:127.0.0.1:", "example.com:443:127.0.0.1:0", "example.com:443:127.0.0.1:1:2",
                    "example.com:443:::1", ":443:127.0.0.1", "*:443:127.0.0.1", "[::1:443:127.0.0.1"}) {
    EXPECT_FALSE(parse_pin(text)) << text;
  }
}

}  // namespace
}  // namespace sallyport::policies
