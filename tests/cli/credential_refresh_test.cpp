#include "cli/credential_refresh.hpp"

#include "tests/support/temp_dir.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <poll.h>

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace sallyport::cli {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class SetClock final : public Clock {
 public:
  std::chrono::steady_clock::time_point time{};
  std::chrono::steady_clock::time_point now() const override { return time; }
  std::chrono::system_clock::time_point wall_now() const override { return {}; }
};

struct CredentialRefreshTest : testing::Test {
  SetClock clock;
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
  CredentialRefresh refresh(policy(), clock);
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
  CredentialRefresh refresh(policy(), clock);
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

/// A command that prints a file, as often as once a minute.
struct RepeatedCommandTest : CredentialRefreshTest {
  policies::Policy repeated() const {
    policies::Policy made;
    policies::Credential token;
    token.name = "TOKEN";
    token.from = policies::FromCommand{{"/bin/cat", file}, std::chrono::minutes(1)};
    made.credentials = {token};
    return made;
  }
  /// Lets a minute pass, and the command end.
  std::vector<std::string> a_minute_later(CredentialRefresh& refresh) {
    clock.time += std::chrono::minutes(1);
    std::vector<std::string> lines;
    auto const before = given.size();
    for (int i = 0; i < 5000 && lines.empty() && given.size() == before; ++i) {
      lines = look(refresh);
      ::poll(nullptr, 0, 1);
      if (i > 300 && is_quiet) break;
    }
    return lines;
  }
  bool is_quiet = false;  // nothing is expected
};

TEST_F(RepeatedCommandTest, IsRunAgainWhenItsTimeHasComeAndNotBefore) {
  test::write_file(file, "value-of-before\n");
  CredentialRefresh refresh(repeated(), clock);
  EXPECT_THAT(look(refresh), IsEmpty());
  EXPECT_THAT(given, IsEmpty());
  test::write_file(file, "another-value\n");
  EXPECT_THAT(a_minute_later(refresh), IsEmpty());
  EXPECT_THAT(given, ElementsAre(std::pair<std::string, std::string>("TOKEN", "another-value")));
  is_quiet = true;
  EXPECT_THAT(a_minute_later(refresh), IsEmpty());
  EXPECT_EQ(given.size(), 1U) << "the same value again is no news";
}

TEST_F(RepeatedCommandTest, FailureIsSaidEachTimeAndTheValueOfBeforeStays) {
  CredentialRefresh refresh(repeated(), clock);
  EXPECT_THAT(a_minute_later(refresh), ElementsAre(HasSubstr("credential TOKEN: program /bin/cat failed; the value of before is used")));
  EXPECT_THAT(a_minute_later(refresh), testing::SizeIs(1));
  test::write_file(file, "two words");
  EXPECT_THAT(a_minute_later(refresh), ElementsAre(HasSubstr("one word")));
  EXPECT_THAT(given, IsEmpty());
}

}  // namespace
}  // namespace sallyport::cli
