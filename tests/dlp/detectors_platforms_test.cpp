#include "dlp/detector.hpp"

#include "detector_cases.hpp"

#include <gtest/gtest.h>

namespace sallyport::dlp {
namespace {

TEST(PlatformDetectors, EveryExampleIsFoundAndNoNearMissIs) { test::expect_examples_hold(platform_detectors()); }

}  // namespace
}  // namespace sallyport::dlp
