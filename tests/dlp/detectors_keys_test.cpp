#include "dlp/detector.hpp"

#include "detector_cases.hpp"

#include <gtest/gtest.h>

namespace sallyport::dlp {
namespace {

TEST(KeyDetectors, EveryExampleIsFoundAndNoNearMissIs) { test::expect_examples_hold(key_detectors()); }

TEST(KeyDetectors, PrivateKeyWithLineEndsWrittenOutIsFound) {
  auto key = test::example("<pem>");
  for (auto at = key.find(10); at != std::string::npos; at = key.find(10)) key.replace(at, 1, "\\n");
  auto finding = test::finding_of("private-key-pem", "{\"private_key\": \"" + key + "\"}");
  ASSERT_TRUE(finding);
  EXPECT_EQ(Certainty::verified, finding->certainty);
}

TEST(KeyDetectors, CertificatesAndPublicKeysAreNoFindings) {
  for (auto label : {"CERTIFICATE", "PUBLIC KEY", "RSA PUBLIC KEY"}) {
    auto begin = "-----BEGIN " + std::string(label) + "-----\n";
    EXPECT_FALSE(test::finding_of("private-key-pem", begin + test::example("<b64*400>") + "\n-----END")) << label;
  }
}

TEST(KeyDetectors, JwtWithAHeaderThatNamesNoAlgorithmIsNoFinding) {
  EXPECT_FALSE(test::finding_of("jwt", "eyJ0eXAiOiJKV1QifQ.eyJzdWIiOiIxMjM0In0." + test::example("<b64u*43>")));
}
}  // namespace
}  // namespace sallyport::dlp
