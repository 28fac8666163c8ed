#include "dlp/detector.hpp"

#include "detector_cases.hpp"

#include <gtest/gtest.h>

namespace sallyport::dlp {
namespace {

TEST(AiDetectors, EveryExampleIsFoundAndNoNearMissIs) { test::expect_examples_hold(ai_detectors()); }

}  // namespace
}  // namespace sallyport::dlp
