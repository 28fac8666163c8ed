#include "audit/private_file.hpp"

#include "tests/support/temp_dir.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

namespace sallyport::audit {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

TEST(PrivateFile, IsMadeOnceForTheOwnerOnly) {
  test::TempDir dir;
  auto const folder = (dir / "state").string();
  EXPECT_EQ(read_private_file(folder + "/salt", 100).value(), std::nullopt);
  ASSERT_TRUE(create_private_file(folder, "salt", "first"));
  ASSERT_TRUE(create_private_file(folder, "salt", "second")) << "somebody was faster";
  EXPECT_EQ(read_private_file(folder + "/salt", 100).value(), "first");
  EXPECT_EQ(fs::status(folder).permissions(), fs::perms(0700));
  EXPECT_EQ(fs::status(folder + "/salt").permissions(), fs::perms(0600));
  EXPECT_EQ(std::distance(fs::directory_iterator(folder), fs::directory_iterator()), 1) << "nothing else is left";
}

TEST(PrivateFile, IsRefusedWhenItIsOpenToOthersOrALink) {
  test::TempDir dir;
  ASSERT_TRUE(create_private_file(dir.path().string(), "salt", "x"));
  fs::permissions(dir / "salt", fs::perms(0640));
  EXPECT_THAT(read_private_file((dir / "salt").string(), 100).error().what, HasSubstr("open to others"));
  fs::create_symlink(dir / "salt", dir / "link");
  EXPECT_FALSE(read_private_file((dir / "link").string(), 100));
}

}  // namespace
}  // namespace sallyport::audit
