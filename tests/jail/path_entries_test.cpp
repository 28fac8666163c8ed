#include "jail/path_entries.hpp"

#include "tests/support/temp_dir.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace sallyport::jail {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

class PathEntries : public ::testing::Test {
 protected:
  std::string make(std::string_view below_home) const {
    auto const path = home_ / below_home;
    fs::create_directories(path);
    return path.string();
  }
  std::vector<std::string> visible(std::string const& path) const {
    return visible_path_entries(path, home_.path().string());
  }

  test::TempDir home_;
};

TEST_F(PathEntries, AreThoseBelowTheHomeThatExist) {
  auto const tool = make("tool");
  EXPECT_THAT(visible("/usr/bin:" + tool + ":" + (home_ / "absent").string()), ElementsAre(tool));
}

TEST_F(PathEntries, BringWhatTheirProgramsLoad) {
  auto const bin = make("node/v22/bin"), lib = make("node/v22/lib");
  make("node/v22/share");
  EXPECT_THAT(visible(bin), ElementsAre(bin, lib));
  auto const shims = make(".pyenv/shims");
  EXPECT_THAT(visible(shims), ElementsAre((home_ / ".pyenv").string(), shims));
}

TEST_F(PathEntries, OfCargoBringTheToolchain) {
  auto const bin = make(".cargo/bin"), rustup = make(".rustup");
  EXPECT_THAT(visible(bin), ElementsAre(bin, rustup));
}

TEST_F(PathEntries, OfLocalBringNoStateAndNoData) {
  auto const bin = make(".local/bin"), lib = make(".local/lib");
  make(".local/state");
  make(".local/share");
  EXPECT_THAT(visible(bin), ElementsAre(bin, lib));
}

TEST_F(PathEntries, AreNeverTheHomeItself) {
  EXPECT_THAT(visible(home_.path().string()), IsEmpty());
  EXPECT_THAT(visible(home_.path().string() + "/"), IsEmpty());
  EXPECT_THAT(visible(home_.path().string() + "/x/.."), IsEmpty());
  make("bin");
  make("lib");
  EXPECT_THAT(visible((home_ / "bin").string()), ElementsAre((home_ / "bin").string()));
}

TEST_F(PathEntries, OutsideTheHomeAndOddOnesCountForNothing) {
  EXPECT_THAT(visible(""), IsEmpty());
  EXPECT_THAT(visible(":::"), IsEmpty());
  EXPECT_THAT(visible("relative:.:.."), IsEmpty());
  EXPECT_THAT(visible(home_.path().string() + "-other/bin"), IsEmpty());
  EXPECT_THAT(visible(home_.path().string() + "/../bin"), IsEmpty());
}

TEST_F(PathEntries, StandOnceHoweverOftenTheyAreNamed) {
  auto const tool = make("tool");
  EXPECT_THAT(visible(tool + ":" + tool + ":" + tool + "/../tool"), ElementsAre(tool));
}

}  // namespace
}  // namespace sallyport::jail
