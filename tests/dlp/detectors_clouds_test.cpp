#include "dlp/detector.hpp"

#include "detector_cases.hpp"

#include <gtest/gtest.h>

namespace sallyport::dlp {
namespace {

TEST(CloudDetectors, EveryExampleIsFoundAndNoNearMissIs) { test::expect_examples_hold(cloud_detectors()); }

TEST(CloudDetectors, IdsThatAreNoSecretsAreNoFindings) {
  for (auto prefix : {"AIDA", "AROA", "AIPA", "ANPA", "APKA", "AGPA"}) {
    EXPECT_FALSE(test::finding_of("aws-access-key-id", prefix + test::example("<B32*16>"))) << prefix;
  }
}

TEST(CloudDetectors, KeyIdOfTheDocumentationIsNoFinding) {
  EXPECT_FALSE(test::finding_of("aws-access-key-id", std::string("AKIA") + "IOSFODNN7" + "EXAMPLE"));
}

TEST(CloudDetectors, KeyIdAloneIsOfMediumSeverity) {
  auto finding = test::finding_of("aws-access-key-id", test::example("AKIA<aws>"));
  ASSERT_TRUE(finding);
  EXPECT_EQ(Severity::medium, finding->severity);
}
}  // namespace
}  // namespace sallyport::dlp
