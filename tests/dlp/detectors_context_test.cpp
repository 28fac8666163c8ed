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

TEST(ContextDetectors, RandomTextIsAGuessWhereTheWordsBeforeItSaySecret) {
  std::string const value = "q7Kx9vTzR2mWb4NpYs8dLc3H";
  for (auto before : {"the deploy token is ", "curl --password '", "use this API key for staging: `", "mysql secret (root): "}) {
    auto const finding = test::finding_of("high-entropy", before + value + "' now");
    ASSERT_TRUE(finding) << before;
    EXPECT_EQ(finding->certainty, Certainty::guess);
  }
  for (auto before : {"the build id is ", "the csrf token is ", "secret\n\n", "js-tokens\": {\"id\": \""})
    EXPECT_FALSE(test::finding_of("high-entropy", before + value + "' now")) << before;
}

TEST(ContextDetectors, DigestsAndNamesBehindTheWordSecretAreNoFinding) {
  for (auto text :
       {"Bump the secret store to 5199831f4dd3b79e7c5b7e0ebe75d67aa66e79d4 (main)", "github.com/acme/token v1.2.0 h1:0Vn9Qz2Tqk8rMbXw5uPcJd7yLf3sHg6aEo1iKpQmN4U=",
       "token store sha256-0Vn9Qz2Tqk8rMbXw5uPcJd7yLf3sHg6aEo1iKpQmN4U=", "token of session 123e4567-e89b-12d3-a456-426614174000",
       "the secret lives in services/backend/config/defaults_v2", "secret (see internalCredentialProviderFactory2Impl)"})
    EXPECT_FALSE(test::finding_of("high-entropy", text)) << text;
}

/// One value, one finding: the surer detector's.
TEST(ContextDetectors, AVendorsTokenBehindTheWordIsFoundOnce) {
  auto const token = test::example("ghp_<b62*30><crc62>");
  auto const findings = scan_message(test::builtin_setup(), "use the token " + token + " please");
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0].detector, "github-pat");
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
