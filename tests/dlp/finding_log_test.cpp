#include "dlp/finding_log.hpp"

#include <gtest/gtest.h>

namespace sallyport::dlp {
namespace {

TEST(FindingLog, KeepsEachValueOnce) {
  FindingLog log("salt");
  log.add({.detector = "a"}, "value");
  log.add({.detector = "a"}, "value");
  log.add({.detector = "a"}, "other");
  log.add({.detector = "b"}, "value");
  EXPECT_EQ(3u, log.take().size());
  EXPECT_TRUE(log.empty());
}

TEST(FindingLog, SaysEveryPlaceWhenAskedAndThatItStoppedWhenThereAreTooMany) {
  FindingLog log("salt", Repeats::every);
  for (std::size_t i = 0; i < kMaxFindings + 5; ++i) log.add({.detector = "a", .offset = i}, "value");
  auto const found = log.take();
  ASSERT_EQ(kMaxFindings + 1, found.size());
  EXPECT_EQ(7u, found[7].offset);
  EXPECT_EQ("decode-limit", found.back().detector);
}

TEST(FindingLog, HoldsADigestAndNotTheValue) {
  FindingLog log("salt");
  log.add({.detector = "a"}, "value");
  EXPECT_EQ(value_digest("salt", "value"), log.take()[0].digest);
}

TEST(FindingLog, IsBounded) {
  FindingLog log("salt");
  for (int i = 0; i < 2000; ++i) log.add({.detector = "a"}, std::to_string(i));
  EXPECT_EQ(kMaxFindings, log.take().size());
}

TEST(Origin, OutermostStretchNamesThePlace) {
  Origin message{100, 0, {}};
  auto inner = message.within({5, 25}, Coding::base64).within({1, 3}, Coding::gzip);
  EXPECT_EQ(105u, inner.base);
  EXPECT_EQ(20u, inner.length);
  EXPECT_EQ((std::vector{Coding::base64, Coding::gzip}), inner.codings);
}

}  // namespace
}  // namespace sallyport::dlp
