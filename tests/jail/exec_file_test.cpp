#include "jail/exec_file.hpp"

#include "tests/jail/forked.hpp"
#include "tests/support/run_command.hpp"
#include "tests/support/temp_dir.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace sallyport::jail {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;

FileId id_of(fs::path const& path) {
  struct stat info {};
  EXPECT_EQ(::stat(path.c_str(), &info), 0) << path;
  return {info.st_dev, info.st_ino};
}

class ExecFileTest : public ::testing::Test {
 protected:
  std::string add(std::string_view name, std::string_view content) const {
    auto const path = directory_ / name;
    test::write_file(path, content);
    fs::permissions(path, fs::perms(0755));
    return path.string();
  }
  void finds(std::string const& path, fs::path const& where, std::string_view first_line) const {
    auto const file = find_exec_file(self_, path);
    ASSERT_TRUE(file) << path << ": " << file.error().what;
    EXPECT_EQ(file->path, fs::canonical(where)) << path;
    EXPECT_EQ(file->id, id_of(where)) << path;
    EXPECT_EQ(file->first_line, first_line) << path;
  }
  /// What will run, for `path` with the arguments "x" and "y z".
  Result<Expectation> expect_for(std::string const& path) const {
    auto file = find_exec_file(self_, path);
    if (!file) return file.error();
    return expect(self_, *std::move(file), path, {"zero", "x", "y z"});
  }

  test::TempDir directory_;
  ProcDirectory self_ = *ProcDirectory::open(::getpid());
};

TEST_F(ExecFileTest, FindsProgramsScriptsAndWhereLinksLead) {
  auto const script = add("script", "#!/bin/sh -e\nexit 0\n");
  auto const program = add("program",
                           "\x7f"
                           "ELF");
  fs::create_symlink("script", directory_ / "link");
  fs::create_directory(directory_ / "sub");
  finds(program, program, "");
  finds(script, script, "#!/bin/sh -e");
  finds((directory_ / "link").string(), script, "#!/bin/sh -e");
  finds((directory_ / "sub/../script").string(), script, "#!/bin/sh -e");
  finds("/proc/self/exe", "/proc/self/exe", "");
  finds("/proc/thread-self/exe", "/proc/self/exe", "");
}

TEST_F(ExecFileTest, FindsRelativePathsFromTheWorkingDirectoryOfTheProcess) {
  auto const script = add("script", "#!/bin/true\n");
  isolated([&] {
    ASSERT_EQ(::chdir(directory_.path().c_str()), 0);
    auto const child = ProcDirectory::open(::getpid());
    auto const file = find_exec_file(*child, "./script");
    ASSERT_TRUE(file) << file.error().what;
    EXPECT_EQ(file->id, id_of(script));
  });
}

TEST_F(ExecFileTest, MeansTheProcessByProcSelf) {
  Gate executed;
  char const* const argv[] = {"sleep", "60", nullptr};
  Child const child([&] { return execute("/bin/sleep", argv); });
  executed.close_writer();
  executed.pass();
  auto const file = find_exec_file(*ProcDirectory::open(child.pid()), "/proc/self/exe");
  ASSERT_TRUE(file) << file.error().what;
  EXPECT_EQ(file->id, id_of("/bin/sleep"));
}

TEST_F(ExecFileTest, SaysThatThereIsNoSuchFile) {
  EXPECT_FALSE(find_exec_file(self_, (directory_ / "absent").string()));
  EXPECT_FALSE(find_exec_descriptor(self_, 999999));
  fs::create_symlink("circle", directory_ / "circle");
  EXPECT_FALSE(find_exec_file(self_, (directory_ / "circle").string()));
}

TEST_F(ExecFileTest, OpensNothingButRegularFiles) {
  auto const fifo = (directory_ / "fifo").string();
  ASSERT_EQ(::mkfifo(fifo.c_str(), 0755), 0);  // a blocking open would hang here
  finds(fifo, fifo, "");
  finds(directory_.path().string(), directory_.path(), "");
  finds("/dev/zero", "/dev/zero", "");
}

TEST_F(ExecFileTest, FindsADescriptorOfTheProcess) {
  auto const script = add("script", "#!/bin/true\n");
  int const fd = ::open(script.c_str(), O_PATH | O_CLOEXEC);
  auto const file = find_exec_descriptor(self_, fd);
  ASSERT_TRUE(file) << file.error().what;
  EXPECT_EQ(file->id, id_of(script));
  EXPECT_EQ(file->first_line, "#!/bin/true");
  ::close(fd);
}

TEST_F(ExecFileTest, KeepsABoundedPieceOfAnEndlessFirstLine) {
  auto const file = find_exec_file(self_, add("long", "#!/bin/sh " + std::string(100000, 'x')));
  ASSERT_TRUE(file);
  EXPECT_LE(file->first_line.size(), 256U);
}

TEST_F(ExecFileTest, ExpectsAProgramWithItsOwnArguments) {
  auto const expected = expect_for("/bin/sh");
  ASSERT_TRUE(expected);
  EXPECT_EQ(expected->file, id_of("/bin/sh"));
  EXPECT_THAT(expected->argv, ElementsAre("zero", "x", "y z"));
}

TEST_F(ExecFileTest, ExpectsTheInterpreterOfAScript) {
  auto const script = add("script", "#! \t/bin/sh \t -e -x \t\n");
  auto const expected = expect_for(script);
  ASSERT_TRUE(expected);
  EXPECT_EQ(expected->file, id_of("/bin/sh"));
  EXPECT_THAT(expected->argv, ElementsAre("/bin/sh", "-e -x", script, "x", "y z"));  // one argument, whatever it holds
}

TEST_F(ExecFileTest, ExpectsTheInterpreterAlsoWithoutAnyArgument) {
  auto const script = add("script", "#!/bin/sh\n");
  auto const expected = expect(self_, *find_exec_file(self_, script), script, {});
  ASSERT_TRUE(expected);
  EXPECT_THAT(expected->argv, ElementsAre("/bin/sh", script));
}

TEST_F(ExecFileTest, GivesUpOnAScriptThatIsItsOwnInterpreter) {
  auto const script = add("loop", "#!" + (directory_ / "loop").string() + "\n");
  auto const expected = expect_for(script);
  ASSERT_FALSE(expected);
  EXPECT_EQ(expected.error().code, Code::limit);
}

TEST_F(ExecFileTest, HasNoExpectationForAnInterpreterThatIsNotThere) {
  EXPECT_FALSE(expect_for(add("script", "#!/absent/sh\n")));
}

/// The kernel itself says with which arguments it runs a script: the interpreter prints its command line.
TEST_F(ExecFileTest, ExpectsWhatTheKernelDoes) {
  std::string const print = "/bin/cat /proc/self/cmdline";
  auto const plain = add("plain", "#!" + print + "\n");
  auto const unterminated = add("unterminated", "#!" + print);
  auto const spaced = add("spaced", "#!  " + print + " \t \nrest");
  auto const nested = add("nested", "#!" + plain + "\n");
  auto const nested_argument = add("nested_argument", "#!" + nested + " v w\n");
  auto const fourth = add("fourth", "#!" + nested_argument + "\n"), fifth = add("fifth", "#!" + fourth + "\n");
  for (auto const& script : {plain, unterminated, spaced, nested, nested_argument, fifth}) {
    auto const expected = expect_for(script);
    ASSERT_TRUE(expected) << script;
    std::string line;
    for (auto const& argument : expected->argv) line += argument + '\0';
    auto const ran = test::run_command({.argv = {script, "x", "y z"}, .timeout = std::chrono::seconds(10)});
    EXPECT_THAT(ran.out, ::testing::StartsWith(line)) << script;
  }
}

}  // namespace
}  // namespace sallyport::jail
