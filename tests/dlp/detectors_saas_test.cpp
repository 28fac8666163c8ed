#include "dlp/detector.hpp"

#include "detector_cases.hpp"

#include <gtest/gtest.h>

namespace sallyport::dlp {
namespace {

TEST(SaasDetectors, EveryExampleIsFoundAndNoNearMissIs) { test::expect_examples_hold(saas_detectors()); }

}  // namespace
}  // namespace sallyport::dlp
