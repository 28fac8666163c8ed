#include "audit/event.hpp"

#include <gtest/gtest.h>

namespace sallyport::audit {
namespace {

TEST(Event, NamesEveryLeg) {
  EXPECT_EQ(to_string(Leg::connect), "connect");
  EXPECT_EQ(to_string(Leg::absolute), "absolute");
  EXPECT_EQ(to_string(Leg::socks5), "socks5");
  EXPECT_EQ(to_string(Leg::transparent), "transparent");
  EXPECT_EQ(to_string(Leg::packet), "packet");
  EXPECT_EQ(to_string(Leg::syscall), "syscall");
  EXPECT_EQ(to_string(Leg::sni), "sni");
}

}  // namespace
}  // namespace sallyport::audit
