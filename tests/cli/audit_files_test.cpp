#include "cli/audit_files.hpp"

#include "tests/support/temp_dir.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>

namespace sallyport::cli {
namespace {

class AuditFilesTest : public ::testing::Test {
 protected:
  AuditFilesTest() {
    for (auto const* session : {"20261127T235959Z-aaaaaaaa", "20261127T235959Z-bbbbbbbb", "20250101T000000Z-cccccccc"}) {
      test::write_file(path_of(session), "");
    }
  }
  std::string path_of(std::string_view session) const { return (dir_ / (std::string(session) + ".jsonl")).string(); }
  std::string dir() const { return dir_.path().string(); }

  test::TempDir dir_;
};

TEST_F(AuditFilesTest, FindTheNewestAlsoOfOneSecond) {
  auto const now = std::filesystem::file_time_type::clock::now();
  for (std::string const last : {"20261127T235959Z-aaaaaaaa", "20261127T235959Z-bbbbbbbb"}) {
    for (auto const& entry : std::filesystem::directory_iterator(dir())) std::filesystem::last_write_time(entry, now - std::chrono::seconds(1));
    std::filesystem::last_write_time(path_of(last), now);
    EXPECT_EQ(newest_log(dir()).value(), path_of(last));
  }
  std::filesystem::last_write_time(path_of("20250101T000000Z-cccccccc"), now + std::chrono::seconds(5));
  EXPECT_EQ(newest_log(dir()).value(), path_of("20261127T235959Z-bbbbbbbb")) << "what began later is newer";
}

TEST_F(AuditFilesTest, FindNoneWhereThereIsNone) { EXPECT_EQ(newest_log(dir() + "/none").error().code, Code::invalid); }

TEST_F(AuditFilesTest, FindASessionByTheBeginningOfItsId) {
  EXPECT_EQ(log_of_session(dir(), "2025").value(), path_of("20250101T000000Z-cccccccc"));
  EXPECT_EQ(log_of_session(dir(), "20261127T235959Z-a").value(), path_of("20261127T235959Z-aaaaaaaa"));
}

TEST_F(AuditFilesTest, FindNoSessionThatIsUnknownOrNotTheOnlyOne) {
  EXPECT_FALSE(log_of_session(dir(), "2024"));
  EXPECT_FALSE(log_of_session(dir(), "20261127"));
}

}  // namespace
}  // namespace sallyport::cli
