#include "cli/guard_lock.hpp"

#include "tests/support/temp_dir.hpp"

#include <gtest/gtest.h>

namespace sallyport::cli {
namespace {

TEST(GuardLock, IsTakenOnceAndFreeAgainWhenItsHolderIsGone) {
  test::TempDir const directory;
  auto const path = (directory / "lock").string();
  {
    auto const first = take_guard_lock(path, "sha256:a");
    ASSERT_TRUE(first);
    ASSERT_TRUE(*first);
    auto const same = take_guard_lock(path, "sha256:a");
    ASSERT_TRUE(same);
    EXPECT_FALSE(*same);
    EXPECT_FALSE(take_guard_lock(path, "sha256:b"));
  }
  auto const next = take_guard_lock(path, "sha256:b");
  ASSERT_TRUE(next);
  EXPECT_TRUE(*next);
}

TEST(GuardLock, ALinkInItsPlaceIsAnError) {
  test::TempDir const directory;
  std::filesystem::create_symlink("/etc/passwd", directory / "lock");
  EXPECT_FALSE(take_guard_lock((directory / "lock").string(), "sha256:a"));
}

}  // namespace
}  // namespace sallyport::cli
