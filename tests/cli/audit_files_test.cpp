#include "cli/audit_files.hpp"

#include "tests/support/temp_dir.hpp"

#include <gtest/gtest.h>

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

TEST_F(AuditFilesTest, FindTheNewest) { EXPECT_EQ(newest_log(dir()).value(), path_of("20261127T235959Z-bbbbbbbb")); }

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
