#include "cli/known_secrets.hpp"

#include "base/limits.hpp"
#include "tests/support/temp_dir.hpp"

#include <gtest/gtest.h>

#include <sys/stat.h>

#include <fstream>

namespace sallyport::cli {
namespace {

TEST(KnownSecrets, GoesByTheNameOfAVariable) {
  for (auto const* name : {"API_TOKEN", "db_password", "STRIPE_SECRET_KEY", "MY_API_KEY", "GITHUB_PAT", "AWS_SECRET_ACCESS_KEY", "CLIENT_SECRET",
                           "NPM_CONFIG__AUTHTOKEN", "DB_PASS"}) {
    EXPECT_TRUE(names_a_secret(name)) << name;
  }
  for (auto const* name : {"PWD", "OLDPWD", "PATH", "HOME", "SSH_AUTH_SOCK", "SSH_ASKPASS", "KEY", "SORT_KEY", "COMPASS", "PATTERN", "XDG_SESSION_ID",
                           "TOKENIZERS_PARALLELISM"}) {
    EXPECT_FALSE(names_a_secret(name)) << name;
  }
}

TEST(KnownSecrets, OnlyAWordCanBeLookedFor) {
  EXPECT_TRUE(can_be_known("hunter2hunter2"));
  for (auto const* value : {"", "short", "/run/secrets/token", "two words here", "https://example.com/x", "{\"a\":\"bcdefgh\"}", "$OTHER_TOKEN",
                            "tab\there-there"}) {
    EXPECT_FALSE(can_be_known(value)) << value;
  }
}

TEST(KnownSecrets, TakesThoseOfTheEnvironment) {
  auto const known = known_in_environment({{"API_TOKEN", "abcdefgh1234"}, {"LANG", "abcdefgh1234"}, {"DB_PASSWORD", "x"}});
  ASSERT_EQ(known.size(), 1U);
  EXPECT_EQ(known[0].name, "API_TOKEN");
  EXPECT_EQ(known[0].value, "abcdefgh1234");
}

class Dotenv : public testing::Test {
 protected:
  void write(std::string const& name, std::string const& text) const { std::ofstream(directory_.path() / name) << text; }
  std::vector<std::string> values() const {
    std::vector<std::string> all;
    for (auto const& each : known_in_dotenv(directory_.path())) all.push_back(each.value);
    return all;
  }
  test::TempDir directory_;
};

TEST_F(Dotenv, ReadsEveryWayToWriteALine) {
  write(".env",
        "# API_TOKEN=commented-out\n"
        "API_TOKEN=plain-value-1 # and why\n"
        "export B_TOKEN=\"quoted-value-2\"\n"
        "  C_SECRET = 'single-value-3'\r\n"
        "LANG=not-a-secret-4\n"
        "no equals sign\n");
  EXPECT_EQ(values(), (std::vector<std::string>{"plain-value-1", "quoted-value-2", "single-value-3"}));
}

TEST_F(Dotenv, LeavesExamplesAndOtherFilesAlone) {
  write(".env.example", "API_TOKEN=put-yours-here\n");
  write(".env.sample", "API_TOKEN=put-yours-here\n");
  write("env", "API_TOKEN=put-yours-here\n");
  write(".env.local", "API_TOKEN=local-value-1\n");
  EXPECT_EQ(values(), std::vector<std::string>{"local-value-1"});
}

TEST_F(Dotenv, HostileFilesNeitherBlockNorFillMemory) {
  ASSERT_EQ(::mkfifo((directory_.path() / ".env").c_str(), 0600), 0);
  write("target", "API_TOKEN=behind-a-link\n");
  std::filesystem::create_symlink(directory_.path() / "target", directory_.path() / ".env.link");
  std::filesystem::create_directory(directory_.path() / ".env.dir");
  std::string lines;
  for (std::size_t i = 0; i < 2 * limits::kMaxKnownValues; ++i) lines += "A_TOKEN=value-" + std::to_string(i) + "\n";
  write(".env.many", lines);
  EXPECT_EQ(values().size(), limits::kMaxKnownValues);
}

TEST(KnownInDotenv, DirectoryThatIsNotThereHoldsNothing) { EXPECT_TRUE(known_in_dotenv("/nonexistent/directory").empty()); }

}  // namespace
}  // namespace sallyport::cli
