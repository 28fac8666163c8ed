#include "dlp/detector.hpp"

#include "detector_cases.hpp"

#include <gtest/gtest.h>

namespace sallyport::dlp {
namespace {

TEST(PaymentAndChatDetectors, EveryExampleIsFoundAndNoNearMissIs) {
  test::expect_examples_hold(payment_and_chat_detectors());
}

TEST(PaymentAndChatDetectors, KeysMeantToBePublicAreNoFindings) {
  EXPECT_TRUE(scan_message(test::builtin_setup(), test::example("pk_live_<b62*99>")).empty());
}

TEST(PaymentAndChatDetectors, WebhookOfTheDocumentationIsNoFinding) {
  EXPECT_FALSE(
      test::finding_of("slack-webhook", "https://hooks.slack.com/services/T00000000/B00000000/" + std::string(24, 88)));
}
}  // namespace
}  // namespace sallyport::dlp
