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

/// Found by tests/soak: half a gigabyte of random bytes held one.
TEST(ContextDetectors, RandomBytesAreNoConnectionString) {
  EXPECT_FALSE(test::finding_of("connection-string",
                                "\x81 pWd=q7\xb3\x04"
                                "a9Zk\xff\x90;\x02"));
  EXPECT_TRUE(test::finding_of("connection-string", "Server=db;Uid=app;Pwd=q7#a9Zk%x;"));
}

}  // namespace
}  // namespace sallyport::dlp
