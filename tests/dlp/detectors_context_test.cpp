#include "dlp/detector.hpp"

#include "detector_cases.hpp"

#include <gtest/gtest.h>

namespace sallyport::dlp {
namespace {

TEST(ContextDetectors, EveryExampleIsFoundAndNoNearMissIs) { test::expect_examples_hold(context_detectors()); }

TEST(ContextDetectors, StandInsForPasswordsAreNoFindings) {
  for (auto password : {"password", "${DB_PASS}", "<password>", "changeme", "xxxxxxxx", "postgres", "your_password"}) {
    auto url = std::string("postgres://app:") + password + "@db.internal.test/app";
    EXPECT_FALSE(test::finding_of("database-url", url)) << password;
    EXPECT_FALSE(test::finding_of("url-password", url)) << password;
  }
}

TEST(ContextDetectors, CodeThatHandlesSecretsIsNoFinding) {
  for (auto code :
       {"const token = await getToken(request);", "password: z.string().min(8),", "secret=os.environ[\"SECRET\"]",
        "if (apiKey === undefined) throw new Error(\"apiKey is missing\");", "token: Token::Identifier,",
        "api_key = config.get(\"service.api_key\")", "access_key: process.env.AWS_ACCESS_KEY_ID,"}) {
    EXPECT_TRUE(scan_message(test::builtin_setup(), code).empty()) << code;
  }
}
}  // namespace
}  // namespace sallyport::dlp
