#include "proxy/h2_flood.hpp"

#include <gtest/gtest.h>

namespace sallyport::proxy {
namespace {

using namespace std::chrono_literals;

TokenBucket::TimePoint const kStart{1h};

TEST(TokenBucket, GivesItsCapacityAtOnceAndThenWhatTimeBrings) {
  TokenBucket bucket(3, 10, kStart);
  for (int taken = 0; taken < 3; ++taken) EXPECT_TRUE(bucket.take(kStart));
  EXPECT_FALSE(bucket.take(kStart));
  EXPECT_FALSE(bucket.take(kStart + 90ms));
  EXPECT_TRUE(bucket.take(kStart + 210ms));
}

TEST(TokenBucket, NeverHoldsMoreThanItsCapacity) {
  TokenBucket bucket(2, 10, kStart);
  bucket.give(100);
  EXPECT_TRUE(bucket.take(kStart + 1h));
  EXPECT_TRUE(bucket.take(kStart + 1h));
  EXPECT_FALSE(bucket.take(kStart + 1h));
}

H2Limits small() {
  H2Limits bounds;
  bounds.control_frames = 5;
  bounds.control_frames_per_second = 1;
  bounds.control_frames_per_data = 2;
  bounds.resets = 2;
  bounds.resets_per_second = 1;
  return bounds;
}

TEST(H2FloodGuard, ControlFramesAreLimited) {
  H2FloodGuard guard(small(), kStart);
  for (int frame = 0; frame < 5; ++frame) guard.on_control_frame(kStart);
  EXPECT_EQ(guard.flood(), nullptr);
  guard.on_control_frame(kStart);
  EXPECT_NE(guard.flood(), nullptr);
}

TEST(H2FloodGuard, AcknowledgementsOfDataAreNoFlood) {
  H2FloodGuard guard(small(), kStart);
  for (int frame = 0; frame < 1000; ++frame) {
    guard.on_data_frame();
    guard.on_control_frame(kStart);
    guard.on_control_frame(kStart);
  }
  EXPECT_EQ(guard.flood(), nullptr);
}

TEST(H2FloodGuard, ResetsAreLimitedByThemselves) {
  H2FloodGuard guard(small(), kStart);
  guard.on_reset(kStart);
  guard.on_data_frame();
  guard.on_reset(kStart);
  EXPECT_EQ(guard.flood(), nullptr);
  guard.on_reset(kStart);
  EXPECT_NE(guard.flood(), nullptr);
}

}  // namespace
}  // namespace sallyport::proxy
