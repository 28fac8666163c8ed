#include "cli/audit_file.hpp"

#include "tests/support/temp_dir.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

namespace sallyport::cli {
namespace {

TEST(OpenAudit, MakesANewFileAndNeverContinuesOne) {
  test::TempDir const directory;
  std::string const path = (directory / "log.jsonl").string();
  SystemClock const clock;
  auto const first = open_audit(path, clock, {});
  ASSERT_TRUE(first) << first.error().what;
  EXPECT_EQ((*first)->path(), path);
  EXPECT_TRUE(std::filesystem::exists(path));
  auto const second = open_audit(path, clock, {});
  ASSERT_FALSE(second);
  EXPECT_NE(second.error().what.find("log.jsonl"), std::string::npos);
}

}  // namespace
}  // namespace sallyport::cli
