#include "audit/files.hpp"

#include "tests/support/temp_dir.hpp"

#include <gtest/gtest.h>

#include <fcntl.h>
#include <sys/stat.h>
#include <filesystem>

namespace sallyport::audit {
namespace {

namespace fs = std::filesystem;

UniqueFd open_for_reading(std::string const& path) { return UniqueFd::adopt(::open(path.c_str(), O_RDONLY), path).value(); }

TEST(Files, MakesWhatIsMissingForTheOwnerOnly) {
  test::TempDir dir;
  auto const deep = dir / "a/b/c";
  ASSERT_TRUE(make_private_dirs(deep.string()));
  EXPECT_EQ(fs::status(dir / "a").permissions(), fs::perms::owner_all);
  EXPECT_EQ(fs::status(deep).permissions(), fs::perms::owner_all);
}

TEST(Files, LeavesExistingDirectoriesAsTheyAre) {
  test::TempDir dir;
  fs::create_directory(dir / "a");
  fs::permissions(dir / "a", fs::perms(0755));
  ASSERT_TRUE(make_private_dirs((dir / "a").string()));
  EXPECT_EQ(fs::status(dir / "a").permissions(), fs::perms(0755));
}

TEST(Files, SaysWhichDirectoryCannotBeMade) {
  test::TempDir dir;
  test::write_file(dir / "file", "");
  auto const made = make_private_dirs((dir / "file/below").string());
  ASSERT_FALSE(made);
  EXPECT_EQ(made.error().os_errno, ENOTDIR);
}

TEST(Files, WritesAndReadsWhole) {
  test::TempDir dir;
  auto const path = (dir / "f").string();
  std::string const content(100000, 'x');
  auto const fd = UniqueFd::adopt(::open(path.c_str(), O_WRONLY | O_CREAT, 0600), path).value();
  ASSERT_TRUE(write_all(fd.get(), content, path));
  EXPECT_EQ(read_all(open_for_reading(path).get(), content.size(), path).value(), content);
}

TEST(Files, ReadsNoMoreThanTheBound) {
  test::TempDir dir;
  auto const path = (dir / "f").string();
  test::write_file(path, "12345");
  EXPECT_EQ(read_all(open_for_reading(path).get(), 5, path).value(), "12345");
  EXPECT_EQ(read_all(open_for_reading(path).get(), 4, path).error().code, Code::limit);
}

TEST(Files, ReportsAFullDisk) {
  auto const fd = UniqueFd::adopt(::open("/dev/full", O_WRONLY), "/dev/full").value();
  auto const written = write_all(fd.get(), "x", "/dev/full");
  ASSERT_FALSE(written);
  EXPECT_EQ(written.error().os_errno, ENOSPC);
}

TEST(Files, MakesRandomDigits) {
  auto const text = random_hex(8).value();
  EXPECT_EQ(text.size(), 16U);
  EXPECT_EQ(text.find_first_not_of("0123456789abcdef"), std::string::npos);
  EXPECT_NE(text, random_hex(8).value());
}

}  // namespace
}  // namespace sallyport::audit
