#include "jail/recent_dials.hpp"

#include <gtest/gtest.h>

namespace sallyport::jail {
namespace {

using namespace std::chrono_literals;

audit::Process process(int pid) { return {pid, "/usr/bin/dig", {"dig"}, {3}}; }

audit::Flow flow(std::string address, std::uint16_t port) {
  audit::Flow out;
  out.remote_address = std::move(address);
  out.remote_port = port;
  return out;
}

TEST(RecentDials, FindsTheLatestThatDialledTheAddress) {
  RecentDials dials;
  RecentDials::Time const now{};
  dials.note({"8.8.8.8", 53}, process(1), now);
  dials.note({"8.8.8.8", 53}, process(2), now);
  dials.note({"8.8.8.8", 443}, process(3), now);
  auto const found = dials.find(flow("8.8.8.8", 53), now);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->pid, 2);
  EXPECT_EQ(found->chain, std::vector<std::uint64_t>{3});
}

TEST(RecentDials, KnowsNothingOfOtherAddressesPortsAndOldDials) {
  RecentDials dials;
  RecentDials::Time const now{};
  dials.note({"8.8.8.8", 53}, process(1), now);
  EXPECT_FALSE(dials.find(flow("8.8.4.4", 53), now));
  EXPECT_FALSE(dials.find(flow("8.8.8.8", 54), now));
  EXPECT_TRUE(dials.find(flow("8.8.8.8", 53), now + 5s));
  EXPECT_FALSE(dials.find(flow("8.8.8.8", 53), now + 6s));
}

TEST(RecentDials, ForgetsTheOldestOfMany) {
  RecentDials dials;
  RecentDials::Time const now{};
  for (int port = 1; port <= 300; ++port) dials.note({"8.8.8.8", static_cast<std::uint16_t>(port)}, process(port), now);
  EXPECT_FALSE(dials.find(flow("8.8.8.8", 1), now));
  EXPECT_TRUE(dials.find(flow("8.8.8.8", 300), now));
}

}  // namespace
}  // namespace sallyport::jail
