#include "policies/port.hpp"

#include <gtest/gtest.h>

namespace sallyport::policies {
namespace {

void ok(std::string_view text, std::uint16_t port) {
  auto const parsed = parse_port(text);
  ASSERT_TRUE(parsed) << text;
  EXPECT_EQ(*parsed, port);
}

void bad(std::string_view text) { EXPECT_FALSE(parse_port(text)) << text; }

TEST(ParsePort, AcceptsDecimalFrom1To65535) {
  ok("1", 1);
  ok("443", 443);
  ok("65535", 65535);
}

TEST(ParsePort, RefusesEveryOtherSpelling) {
  bad("");
  bad("0");
  bad("65536");
  bad("99999999999999999999");
  bad("00443");
  bad("0443");
  bad("443 ");
  bad(" 443");
  bad("+443");
  bad("-1");
  bad("0x1bb");
  bad("4e2");
  bad(std::string_view("44\0", 3));
}

}  // namespace
}  // namespace sallyport::policies
