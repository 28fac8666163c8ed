#include "cli/held_credentials.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <string>

namespace sallyport::cli {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

constexpr char kPlaceholder[] = "sk-held-by-programs-01";

policies::Credential credential(std::string name, std::string variable, bool optional) {
  return {std::move(name), policies::FromEnvironment{std::move(variable)}, {"api.example.com"},
          {{policies::CredentialSpot::Kind::header, "x-key", "{}"}}, std::nullopt, optional, {"p.yaml", 3, 5}};
}

class HeldCredentialsTest : public testing::Test {
 protected:
  /// Empty if all is well, else the error.
  std::string read(Placeholders const& held) {
    auto made = read_held(policy_, held, "attach", environment_, variables_.data(), clock_);
    if (!made) return made.error().what;
    values_ = std::move(made->values);
    return "";
  }

  SystemClock const clock_;
  policies::Policy policy_;
  std::map<std::string, std::string> environment_{{"REAL", "the-real-value-1"}, {"OTHER", "the-other-value-2"}};
  std::string variable_ = "REAL=the-real-value-1";
  std::array<char*, 2> variables_{variable_.data(), nullptr};
  std::vector<proxy::BrokeredCredential> values_;
};

TEST_F(HeldCredentialsTest, TheValueGoesBesideThePlaceholderThatProgramsHold) {
  policy_.credentials = {credential("KEY", "REAL", true), credential("UNHELD", "OTHER", true)};
  ASSERT_EQ(read({{"KEY", kPlaceholder}}), "");
  ASSERT_THAT(values_, SizeIs(1));
  EXPECT_EQ(values_[0].placeholder, kPlaceholder);
  auto const bytes = values_[0].value.bytes();
  EXPECT_EQ(std::string(bytes.begin(), bytes.end()), "the-real-value-1");
  ASSERT_THAT(values_[0].hosts, SizeIs(1));
}

TEST_F(HeldCredentialsTest, NothingIsLeftOfTheValueInTheEnvironment) {
  policy_.credentials = {credential("KEY", "REAL", false)};
  ASSERT_EQ(read({{"KEY", kPlaceholder}}), "");
  EXPECT_THAT(environment_["REAL"], testing::Not(HasSubstr("real")));
  EXPECT_EQ(std::string(variables_[0]), "REAL=");
}

TEST_F(HeldCredentialsTest, WhatNobodyHoldsMustBeOptional) {
  policy_.credentials = {credential("KEY", "REAL", true), credential("NEEDED", "OTHER", false)};
  EXPECT_THAT(read({{"KEY", kPlaceholder}}), HasSubstr("p.yaml:3:5: credential NEEDED: only sallyport run can hand out placeholders"));
  policy_.credentials = {credential("KEY", "REAL", true)};
  EXPECT_EQ(read({}), "");
  EXPECT_THAT(values_, IsEmpty());
}

TEST_F(HeldCredentialsTest, WhatIsHeldMustHaveItsSource) {
  policy_.credentials = {credential("KEY", "MISSING", true)};
  EXPECT_THAT(read({{"KEY", kPlaceholder}}), HasSubstr("the variable MISSING is not set"));
}

TEST_F(HeldCredentialsTest, PlaceholdersThatCannotBeToldApartAreErrors) {
  policy_.credentials = {credential("KEY", "REAL", true), credential("OTHER", "OTHER", true)};
  EXPECT_EQ(read({{"NOBODY", kPlaceholder}}), "--placeholder NOBODY: the policy has no credential of this name");
  EXPECT_EQ(read({{"KEY", kPlaceholder}, {"OTHER", "x" + std::string(kPlaceholder)}}),
            "--placeholder KEY: its text is part of another placeholder's");
  EXPECT_EQ(read({{"KEY", "the-real-value-1"}}), "--placeholder KEY: it is the value itself");
}

TEST_F(HeldCredentialsTest, CanariesCannotBePlanted) {
  policy_.dlp.canaries.emplace_back();
  EXPECT_THAT(read({}), HasSubstr("only sallyport run can plant decoys"));
}

TEST(HeldPlaceholder, IsANameAndOneLongWord) {
  auto const parsed = parse_placeholder("KEY=sk-held=by-programs-01");
  ASSERT_TRUE(parsed);
  EXPECT_EQ(parsed->first, "KEY");
  EXPECT_EQ(parsed->second, "sk-held=by-programs-01");
  for (auto text : {"KEY", "=sk-held-by-programs-01", "KEY=tooshort", "KEY=sk-held by-programs-01"}) EXPECT_FALSE(parse_placeholder(text)) << text;
  EXPECT_EQ(parse_placeholder("KEY=tooshort").error().what, "the placeholder of KEY is not one word of 16 to 4096 visible characters");
}

}  // namespace
}  // namespace sallyport::cli
