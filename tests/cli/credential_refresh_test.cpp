#include "cli/credential_refresh.hpp"

#include "tests/support/temp_dir.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace sallyport::cli {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

struct CredentialRefreshTest : testing::Test {
  test::TempDir const directory;
  std::string const file = (directory.path() / "key").string();
  std::vector<std::pair<std::string, std::string>> given;

  policies::Policy policy() const {
    policies::Policy made;
    policies::Credential from_file, from_environment;
    from_file.name = "A_KEY";
    from_file.from = policies::FromFile{file};
    from_environment.name = "B_KEY";
    from_environment.from = policies::FromEnvironment{"NOT_SET"};
    made.credentials = {from_file, from_environment};
    return made;
  }
  std::vector<std::string> look(CredentialRefresh& refresh) {
    return refresh.look([this](std::string const& name, std::string_view value) {
      given.emplace_back(name, value);
      return Result<void>();
    });
  }
};

TEST_F(CredentialRefreshTest, HandsOverWhatChangedAndOnlyThat) {
  test::write_file(file, "value-of-before");
  CredentialRefresh refresh(policy());
  EXPECT_THAT(look(refresh), IsEmpty());
  EXPECT_THAT(given, IsEmpty());
  test::write_file(file + ".new", "another-value\n");
  std::filesystem::rename(file + ".new", file);
  EXPECT_THAT(look(refresh), IsEmpty());
  EXPECT_THAT(look(refresh), IsEmpty());
  EXPECT_THAT(given, ElementsAre(std::pair<std::string, std::string>("A_KEY", "another-value")));
}

TEST_F(CredentialRefreshTest, SaysOnceThatAFileHasNoValueAnyMore) {
  test::write_file(file, "value-of-before");
  CredentialRefresh refresh(policy());
  std::filesystem::remove(file);
  EXPECT_THAT(look(refresh), ElementsAre(HasSubstr("A_KEY")));
  EXPECT_THAT(look(refresh), IsEmpty());
  test::write_file(file, "two words");
  EXPECT_THAT(look(refresh), ElementsAre(HasSubstr("one word")));
  EXPECT_THAT(given, IsEmpty());
  test::write_file(file, "a-value-again");
  EXPECT_THAT(look(refresh), IsEmpty());
  EXPECT_EQ(given.size(), 1U);
}

}  // namespace
}  // namespace sallyport::cli
