#include "cli/dlp_salt.hpp"

#include "tests/support/temp_dir.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

namespace sallyport::cli {
namespace {

TEST(DlpSalt, IsMadeOnceAndAnotherForEachUser) {
  test::TempDir one, other;
  auto const salt = load_or_create_salt(one.path().string()).value();
  EXPECT_EQ(salt.size(), 64U);
  EXPECT_EQ(load_or_create_salt(one.path().string()).value(), salt);
  EXPECT_NE(load_or_create_salt(other.path().string()).value(), salt);
}

TEST(DlpSalt, FileThatIsNoneIsAnErrorAndStays) {
  test::TempDir dir;
  std::ofstream(dir / "dlp.salt") << "short";
  std::filesystem::permissions(dir / "dlp.salt", std::filesystem::perms(0600));
  EXPECT_THAT(load_or_create_salt(dir.path().string()).error().what, testing::HasSubstr("is no salt"));
  EXPECT_EQ(std::filesystem::file_size(dir / "dlp.salt"), 5U);
}

}  // namespace
}  // namespace sallyport::cli
