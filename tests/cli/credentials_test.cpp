#include "cli/credentials.hpp"

#include "tests/support/temp_dir.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <string>

namespace sallyport::cli {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

policies::Policy policy_with(policies::CredentialSource from) {
  policies::Policy policy;
  policy.credentials.push_back({"KEY", std::move(from), {"api.example.com"}, {{policies::CredentialSpot::Kind::header, "x-key", "{}"}}, std::nullopt, false, {"p.yaml", 3, 5}});
  return policy;
}

std::string value_of(Result<std::vector<proxy::BrokeredCredential>> const& read) {
  if (!read) return "error: " + read.error().what;
  auto const bytes = read->front().value.bytes();
  return {bytes.begin(), bytes.end()};
}

TEST(Credentials, AreReadFromEverySource) {
  test::TempDir const directory;
  auto const file = directory.path() / "key";
  std::ofstream(file) << "value-from-file\n";
  EXPECT_EQ(value_of(read_credentials(policy_with(policies::FromEnvironment{"REAL"}), {{"REAL", "value-from-env"}})), "value-from-env");
  EXPECT_EQ(value_of(read_credentials(policy_with(policies::FromFile{file}), {})), "value-from-file");
  EXPECT_EQ(value_of(read_credentials(policy_with(policies::FromCommand{{"/bin/echo", "value-from-command"}}), {})), "value-from-command");
}

TEST(Credentials, ErrorsNameTheCredentialAndItsPlace) {
  auto const error = [](policies::CredentialSource from, std::map<std::string, std::string> const& environment = {}) {
    return value_of(read_credentials(policy_with(std::move(from)), environment));
  };
  EXPECT_THAT(error(policies::FromEnvironment{"REAL"}), StartsWith("error: p.yaml:3:5: credential KEY: the variable REAL is not set"));
  EXPECT_THAT(error(policies::FromFile{"/nonexistent/key"}), HasSubstr("/nonexistent/key"));
  EXPECT_THAT(error(policies::FromCommand{{"/bin/false"}}), HasSubstr("/bin/false failed"));
  EXPECT_THAT(error(policies::FromEnvironment{"REAL"}, {{"REAL", "short"}}), HasSubstr("one word of 8 to 4096"));
  EXPECT_THAT(error(policies::FromEnvironment{"REAL"}, {{"REAL", "two words\r\nX: y"}}), HasSubstr("one word of 8 to 4096"));
}

TEST(Credentials, OptionalOneIsLeftOutWhereItsSourceIsNot) {
  for (policies::CredentialSource const& from : {policies::CredentialSource(policies::FromEnvironment{"REAL"}), policies::CredentialSource(policies::FromFile{"/nonexistent/key"})}) {
    auto policy = policy_with(from);
    policy.credentials[0].optional = true;
    auto const read = read_credentials(policy, {});
    ASSERT_TRUE(read) << read.error().what;
    EXPECT_TRUE(read->empty());
    EXPECT_TRUE(check_no_handouts(policy, "proxy"));
  }
}

TEST(Credentials, FilesHoldThePlaceholdersOfAllThatNameThem) {
  auto policy = policy_with(policies::FromEnvironment{"REAL"});
  policy.credentials[0].into = policies::CredentialFile{".netrc", "password {} {}\n"};
  policy.credentials.push_back(policy.credentials[0]);
  policy.credentials[1].name = "OTHER";
  policy.credentials[1].into->text = "other {}\n";
  auto const read = read_credentials(policy, {{"REAL", "value-from-env"}}).value();
  auto const files = placeholder_files(policy, read);
  ASSERT_EQ(files.size(), 1u);
  auto const& first = read[0].placeholder;
  EXPECT_EQ(files.at(".netrc"), "password " + first + " " + first + "\nother " + read[1].placeholder + "\n");
  EXPECT_NE(first, "value-from-env");
}

TEST(Credentials, PlaceholderHasTheShapeAndNothingElseOfTheValue) {
  std::string const value = "sk-ant-api03-AbCd0123456789-xyz_QRS";
  auto const placeholder = make_placeholder(value).value();
  ASSERT_EQ(placeholder.size(), value.size());
  EXPECT_THAT(placeholder, StartsWith("sk-ant-"));
  EXPECT_NE(placeholder, value);
  EXPECT_NE(placeholder, make_placeholder(value).value());
  for (std::size_t i = 0; i < value.size(); ++i) {
    EXPECT_EQ(std::isdigit(static_cast<unsigned char>(value[i])) != 0, std::isdigit(static_cast<unsigned char>(placeholder[i])) != 0) << i;
    EXPECT_EQ(value[i] == '-' || value[i] == '_', placeholder[i] == '-' || placeholder[i] == '_') << i;
  }
  EXPECT_NE(make_placeholder("0123456789abcdef0123456789abcdef").value().substr(0, 8), "01234567") << "no beginning of an unknown kind is kept";
}

TEST(Credentials, SourcesAreWipedFromTheEnvironment) {
  char other[] = "OTHER=stays", longer[] = "REAL_TOO=stays", real[] = "REAL=secret-value";
  char* variables[] = {other, longer, real, nullptr};
  std::map<std::string, std::string> environment{{"REAL", "secret-value"}, {"OTHER", "stays"}};
  wipe_sources(policy_with(policies::FromEnvironment{"REAL"}), environment, variables);
  EXPECT_EQ(environment["REAL"], "");
  EXPECT_EQ(environment["OTHER"], "stays");
  EXPECT_STREQ(other, "OTHER=stays");
  EXPECT_STREQ(longer, "REAL_TOO=stays");
  EXPECT_EQ(std::string(real, sizeof real), std::string("REAL=") + std::string(sizeof real - 5, '\0'));
}

TEST(Credentials, AreAnErrorWhereNobodyHandsOutPlaceholders) {
  EXPECT_TRUE(check_no_handouts({}, "proxy"));
  auto const checked = check_no_handouts(policy_with(policies::FromEnvironment{"REAL"}), "proxy");
  ASSERT_FALSE(checked);
  EXPECT_THAT(checked.error().what, StartsWith("p.yaml:3:5: credential KEY: only sallyport run"));
}

TEST(Credentials, CanariesAreAnErrorWhereNobodyPlantsThem) {
  policies::Policy policy;
  policy.dlp.canaries = {policies::CanaryPlace::env};
  auto const checked = check_no_handouts(policy, "attach");
  ASSERT_FALSE(checked);
  EXPECT_THAT(checked.error().what, StartsWith("dlp.canaries: only sallyport run"));
}

}  // namespace
}  // namespace sallyport::cli
