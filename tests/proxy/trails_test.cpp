#include "proxy/trails.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <latch>
#include <thread>

namespace sallyport::proxy {
namespace {

constexpr char kValue[] = "Hunter2-Hunter2-XY";

dlp::Scanner::Setup setup() {
  auto const known = std::make_shared<dlp::KnownValues const>(std::vector<dlp::KnownValue>{{"DB_PASSWORD", kValue}}, "salt");
  return {dlp::RuleSet::build({}).value(), known, "salt"};
}

HostTrail::Values part(std::size_t from, std::size_t bytes) { return {{"query k", std::string(kValue).substr(from, bytes)}}; }

TEST(HostTrail, WhatStaysIsNotRemembered) {
  auto const searched = setup();
  HostTrail trail;
  trail.leave(searched, part(0, 9), [](auto found) { return !found.empty(); });
  EXPECT_TRUE(trail.look(searched, part(9, 9)).empty());
  trail.leave(searched, part(0, 9), [](auto found) { return found.empty(); });
  EXPECT_EQ(trail.look(searched, part(9, 9)).size(), 1U);
}

/// Each is half of a value, and half of another the other way round: whichever is second makes one of them whole.
TEST(HostTrail, OfTwoAtTheSameTimeOneIsSecond) {
  auto const known = std::make_shared<dlp::KnownValues const>(
      std::vector<dlp::KnownValue>{{"A", "Hunter2-Hunter2-XY"}, {"B", "Winter9-Winter9-ZQ"}}, "salt");
  dlp::Scanner::Setup const searched{dlp::RuleSet::build({}).value(), known, "salt"};
  HostTrail::Values const one{{"query a", "Hunter2-H"}, {"query b", "nter9-ZQ"}};
  HostTrail::Values const other{{"query a", "unter2-XY"}, {"query b", "Winter9-Wi"}};
  for (int round = 0; round < 200; ++round) {
    HostTrail trail;
    std::atomic<int> refused = 0;
    auto const judge = [&](std::vector<dlp::Finding> const& found) {
      if (!found.empty()) ++refused;
      return found.empty();
    };
    std::latch both(2);
    auto const leave = [&](HostTrail::Values const& values) {
      both.arrive_and_wait();
      trail.leave(searched, values, judge);
    };
    std::jthread beside([&] { leave(other); });
    leave(one);
    beside.join();
    ASSERT_EQ(refused, 1) << round;
  }
}

TEST(Trails, AHostHasOneAndTheOldestIsForgotten) {
  Trails trails;
  auto const first = trails.of("h0");
  EXPECT_EQ(trails.of("h0"), first);
  for (std::size_t i = 1; i < Trails::kMaxHosts; ++i) trails.of("h" + std::to_string(i));
  EXPECT_EQ(trails.of("h0"), first);
  trails.of("one more");
  EXPECT_NE(trails.of("h0"), first);
}

}  // namespace
}  // namespace sallyport::proxy
