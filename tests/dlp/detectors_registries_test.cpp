#include "dlp/detector.hpp"

#include "detector_cases.hpp"

#include <gtest/gtest.h>

namespace sallyport::dlp {
namespace {

TEST(RegistryDetectors, EveryExampleIsFoundAndNoNearMissIs) { test::expect_examples_hold(registry_detectors()); }

TEST(RegistryDetectors, NpmTokenWithAWrongChecksumIsALookAlike) {
  auto finding = test::finding_of("npm", test::example("npm_<b62*36>"));
  ASSERT_TRUE(finding);
  EXPECT_EQ(Certainty::look_alike, finding->certainty);
}
}  // namespace
}  // namespace sallyport::dlp
