#include "cli/dlp_files.hpp"

#include "tests/support/temp_dir.hpp"

#include <gtest/gtest.h>

namespace sallyport::cli {
namespace {

using Answer = IgnoreList::Answer;
using Entry = IgnoreList::Entry;

TEST(IgnoreList, FollowsGitignore) {
  struct Case {
    char const *list, *path;
    Entry entry;
    Answer answer;
  };
  constexpr Case kCases[] = {
      {"*.log", "a.log", Entry::file, Answer::ignored},
      {"*.log", "deep/a.log", Entry::file, Answer::ignored},
      {"*.log", "a.txt", Entry::file, Answer::silent},
      {"/a.log", "deep/a.log", Entry::file, Answer::silent},
      {"build/", "build", Entry::directory, Answer::ignored},
      {"build/", "build", Entry::file, Answer::silent},
      {"a/*.c", "a/x.c", Entry::file, Answer::ignored},
      {"a/*.c", "a/b/x.c", Entry::file, Answer::silent},
      {"a/**/x.c", "a/x.c", Entry::file, Answer::ignored},
      {"a/**/x.c", "a/b/c/x.c", Entry::file, Answer::ignored},
      {"**/x.c", "a/b/x.c", Entry::file, Answer::ignored},
      {"# comment", "# comment", Entry::file, Answer::silent},
      {"*.log\n!keep.log", "keep.log", Entry::file, Answer::kept},
      {"!keep.log\n*.log", "keep.log", Entry::file, Answer::ignored},
  };
  for (auto const& [list, path, entry, answer] : kCases)
    EXPECT_EQ(answer, IgnoreList(list).ask(path, entry)) << list << " " << path;
}

std::vector<std::string> files_of(test::TempDir const& dir, Ignored ignored) {
  std::vector<std::string> names;
  auto listed = for_each_file(dir.path().string(), ignored, [&](std::string const& path) {
    names.push_back(std::filesystem::path(path).lexically_relative(dir.path()).string());
  });
  EXPECT_TRUE(listed);
  return names;
}

TEST(ForEachFile, PassesOverWhatIsIgnoredAndGitItself) {
  test::TempDir dir;
  std::filesystem::create_directories(dir / "src/out");
  std::filesystem::create_directories(dir / ".git");
  test::write_file(dir / ".gitignore", "out/\n");
  test::write_file(dir / ".git/config", "x");
  test::write_file(dir / "src/a.c", "x");
  test::write_file(dir / "src/out/b.o", "x");
  std::filesystem::create_symlink(dir / "src/a.c", dir / "link");
  EXPECT_EQ((std::vector<std::string>{".gitignore", "src/a.c"}), files_of(dir, Ignored::skip));
  EXPECT_EQ((std::vector<std::string>{".gitignore", "src/a.c", "src/out/b.o"}), files_of(dir, Ignored::visit));
}

TEST(ForEachFile, MissingPathIsAnError) {
  EXPECT_FALSE(for_each_file("/nonexistent/path", Ignored::skip, [](std::string const&) {}));
}

}  // namespace
}  // namespace sallyport::cli
