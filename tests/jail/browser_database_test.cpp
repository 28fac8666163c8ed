#include "jail/browser_database.hpp"

#include "tests/support/run_command.hpp"
#include "tests/support/temp_dir.hpp"
#include "tests/support/test_ca.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

namespace sallyport::jail {
namespace {

using ::testing::ContainsRegex;

constexpr char kCertutil[] = "/usr/bin/certutil";

test::Outcome certutil(std::string const& database, std::vector<std::string> words) {
  words.insert(words.begin(), {kCertutil, "-d", "sql:" + database});
  return test::run_command({.argv = std::move(words)});
}

/// NSS itself reads it: the key database is what Chromium makes beside it, too.
TEST(BrowserDatabase, NssTrustsTheAuthorityForServersAndForNothingElse) {
  if (!std::filesystem::exists(kCertutil)) GTEST_SKIP() << "no libnss3-tools";
  test::TempDir const directory;
  auto const folder = directory.path().string();
  std::ofstream(directory / "cert9.db", std::ios::binary) << browser_database(test::TestCa().pem()).value();
  ASSERT_EQ(certutil(folder, {"-N", "--empty-password"}).exit_code, 0);
  EXPECT_THAT(certutil(folder, {"-L"}).out, ContainsRegex("Sallyport +C,,"))
      << "C: an authority of servers; T would be one of clients";
  EXPECT_EQ(certutil(folder, {"-V", "-n", "Sallyport", "-u", "L"}).exit_code, 0);
}

TEST(BrowserDatabase, RefusesWhatIsNoCertificate) {
  EXPECT_FALSE(browser_database(""));
  EXPECT_FALSE(browser_database("-----BEGIN CERTIFICATE-----\nAAEC\n-----END CERTIFICATE-----\n"));
}

}  // namespace
}  // namespace sallyport::jail
