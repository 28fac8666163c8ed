#include "cli/new_files.hpp"

#include "tests/support/temp_dir.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sys/stat.h>

namespace sallyport::cli {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class NewFiles : public ::testing::Test {
 protected:
  std::vector<std::string> everything() const {
    std::vector<std::string> found;
    for (auto const& entry : fs::recursive_directory_iterator(folder_.path()))
      if (!entry.is_directory()) found.push_back(entry.path().lexically_relative(folder_.path()).string());
    std::ranges::sort(found);
    return found;
  }
  test::TempDir folder_;
  std::vector<NewFile> const files_{{"a/one", "1"}, {"a/b/two.sh", "2", 0755}};
};

TEST_F(NewFiles, AreWrittenWithTheirModesAndNothingElse) {
  ASSERT_TRUE(write_new_files(folder_.path(), files_, Existing::keep));
  EXPECT_THAT(everything(), ElementsAre("a/b/two.sh", "a/one"));
  EXPECT_EQ(test::read_file(folder_ / "a/one"), "1");
  struct stat status {};
  ASSERT_EQ(::stat((folder_ / "a/b/two.sh").c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 07777, 0755u);
}

TEST_F(NewFiles, TheSameAgainIsNoError) {
  ASSERT_TRUE(write_new_files(folder_.path(), files_, Existing::keep));
  EXPECT_THAT(files_in_the_way(folder_.path(), files_), IsEmpty());
  EXPECT_TRUE(write_new_files(folder_.path(), files_, Existing::keep));
  EXPECT_THAT(everything(), ElementsAre("a/b/two.sh", "a/one"));
}

TEST_F(NewFiles, OneThatIsThereStopsAllOfThemUnlessItMayBeReplaced) {
  fs::create_directories(folder_ / "a/b");
  test::write_file(folder_ / "a/b/two.sh", "mine");
  EXPECT_THAT(write_new_files(folder_.path(), files_, Existing::keep).error().what, HasSubstr("a/b/two.sh"));
  EXPECT_THAT(everything(), ElementsAre("a/b/two.sh"));
  EXPECT_EQ(test::read_file(folder_ / "a/b/two.sh"), "mine");
  ASSERT_TRUE(write_new_files(folder_.path(), files_, Existing::replace));
  EXPECT_EQ(test::read_file(folder_ / "a/b/two.sh"), "2");
}

TEST_F(NewFiles, AnErrorHalfWayLeavesNoFile) {
  test::write_file(folder_ / "c", "a file where a folder is needed");
  auto files = files_;
  files.push_back({"c/three", "3"});
  EXPECT_THAT(write_new_files(folder_.path(), files, Existing::replace).error().what, HasSubstr("is in the way"));
  EXPECT_THAT(everything(), ElementsAre("c"));
}

TEST_F(NewFiles, ASymbolicLinkIsNeitherFollowedNorTakenForAFile) {
  test::TempDir elsewhere;
  fs::create_symlink(elsewhere.path(), folder_ / "a");
  EXPECT_FALSE(write_new_files(folder_.path(), files_, Existing::replace));
  EXPECT_TRUE(fs::is_empty(elsewhere.path()));

  fs::remove(folder_ / "a");
  fs::create_directory(folder_ / "a");
  test::write_file(elsewhere / "one", "1");
  fs::create_symlink(elsewhere / "one", folder_ / "a/one");
  EXPECT_THAT(files_in_the_way(folder_.path(), files_), ElementsAre("a/one"));
  ASSERT_TRUE(write_new_files(folder_.path(), files_, Existing::replace));
  EXPECT_FALSE(fs::is_symlink(folder_ / "a/one"));
}

}  // namespace
}  // namespace sallyport::cli
