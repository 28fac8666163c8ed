#include "jail/exec_request.hpp"

#include "base/limits.hpp"
#include "tests/jail/exec_call.hpp"
#include "tests/support/temp_dir.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstring>

namespace sallyport::jail {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

ExecRequest read_from_self(seccomp_notif const& notification) {
  auto const self = ProcDirectory::open(::getpid());
  auto request = read_exec_request(notification, *self);
  EXPECT_TRUE(request) << request.error().what;
  return *std::move(request);
}

ExecRequest read_execve(std::string path, std::vector<std::string> argv) {
  ExecCall const call(std::move(path), std::move(argv));
  return read_from_self(call.execve_by(::getpid()));
}

TEST(ExecRequestTest, HoldsWhatWasAskedForAndWhereItLeads) {
  auto const request = read_execve("/bin/true", {"true", "", "a b"});
  EXPECT_EQ(request.path, "/bin/true");
  EXPECT_EQ(request.exe, fs::canonical("/bin/true"));
  EXPECT_THAT(request.argv, ElementsAre("true", "", "a b"));
  EXPECT_FALSE(request.argv_cut);
  EXPECT_EQ(request.cwd, fs::current_path());
  ASSERT_TRUE(request.expected);
  EXPECT_THAT(request.expected->argv, ElementsAre("true", "", "a b"));
}

TEST(ExecRequestTest, SaysThatAFileIsNotThere) {
  auto const request = read_execve("/absent/program", {"program"});
  EXPECT_EQ(request.exe, "/absent/program");
  EXPECT_FALSE(request.expected);
  EXPECT_TRUE(request.missing);
}

/// Such a path may mean something to the process and nothing from outside.
TEST(ExecRequestTest, ConcludesNothingFromAPathIntoProc) {
  for (std::string path : {"/proc/self/../../absent", "/proc/999999999/exe", "/dev/fd/999999", "/proc/self/fd/999999"})
    EXPECT_FALSE(read_execve(path, {"x"}).missing) << path;
}

TEST(ExecRequestTest, HasNoArgumentsWhereThereIsNoArray) {
  ExecCall const call("/bin/true", {});
  auto notification = call.execve_by(::getpid());
  EXPECT_THAT(read_from_self(notification).argv, IsEmpty());
  notification.data.args[1] = 0;
  auto const request = read_from_self(notification);
  EXPECT_THAT(request.argv, IsEmpty());
  EXPECT_FALSE(request.argv_cut);
}

TEST(ExecRequestTest, ReadsDescriptorsAsExecveatMeansThem) {
  test::TempDir const directory;
  auto const script = directory / "script";
  test::write_file(script, "#!/bin/true\n");
  fs::permissions(script, fs::perms(0755));
  int const script_fd = ::open(script.c_str(), O_PATH | O_CLOEXEC);
  int const directory_fd = ::open(directory.path().c_str(), O_PATH | O_CLOEXEC);
  std::string const dev_fd = "/dev/fd/" + std::to_string(script_fd);

  ExecCall const by_descriptor("", {"a"});
  auto const direct = read_from_self(by_descriptor.execveat_by(::getpid(), script_fd, AT_EMPTY_PATH));
  EXPECT_EQ(direct.exe, script);
  ASSERT_TRUE(direct.expected);
  EXPECT_THAT(direct.expected->argv, ElementsAre("/bin/true", dev_fd));

  ExecCall const by_name("script", {"a"});
  auto const below = read_from_self(by_name.execveat_by(::getpid(), directory_fd, 0));
  EXPECT_EQ(below.exe, script);
  ASSERT_TRUE(below.expected);
  EXPECT_THAT(below.expected->argv, ElementsAre("/bin/true", "/dev/fd/" + std::to_string(directory_fd) + "/script"));

  ExecCall const absolute("/bin/true", {"a"});
  EXPECT_EQ(read_from_self(absolute.execveat_by(::getpid(), directory_fd, 0)).exe, fs::canonical("/bin/true"));
  EXPECT_EQ(read_from_self(absolute.execveat_by(::getpid(), AT_FDCWD, 0)).exe, fs::canonical("/bin/true"));
  ::close(script_fd);
  ::close(directory_fd);
}

TEST(ExecRequestTest, CutsArgumentsAtTheLimitAndSaysSo) {
  auto const one = read_execve("/bin/true", {"true", std::string(limits::kMaxArgvBytes, 'x'), "last"});
  EXPECT_TRUE(one.argv_cut);
  ASSERT_GE(one.argv.size(), 2U);
  EXPECT_LE(one.argv[1].size(), limits::kMaxArgvBytes);
  auto const many = read_execve("/bin/true", std::vector<std::string>(limits::kMaxArgvBytes, "y"));
  EXPECT_TRUE(many.argv_cut);
  EXPECT_LE(many.argv.size(), limits::kMaxArgvBytes / 2);
}

TEST(ExecRequestTest, SurvivesMemoryThatIsNotThere) {
  ExecCall const call("/bin/true", {"true"});
  auto notification = call.execve_by(::getpid());
  notification.data.args[0] = 8;
  EXPECT_EQ(read_from_self(notification).path, "");
  notification.data.args[1] = ~std::uint64_t{7};
  EXPECT_TRUE(read_from_self(notification).argv_cut);
}

/// A path and an array that end with the last byte of a page, in front of nothing.
TEST(ExecRequestTest, ReadsUpToTheEndOfMemory) {
  std::size_t constexpr kPage = 4096;
  void* const place = ::mmap(nullptr, 2 * kPage, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  ASSERT_NE(place, MAP_FAILED);
  char* const end = static_cast<char*>(place) + kPage;
  ASSERT_EQ(::munmap(end, kPage), 0);
  char* const path = end - sizeof "/bin/true";
  std::memcpy(path, "/bin/true", sizeof "/bin/true");
  ExecCall const other("", {"true"});
  auto notification = other.execve_by(::getpid());
  notification.data.args[0] = reinterpret_cast<std::uint64_t>(path);
  EXPECT_EQ(read_from_self(notification).path, "/bin/true");

  void const* argv[2] = {other.argv()[0], nullptr};
  std::memcpy(end - sizeof argv, argv, sizeof argv);
  notification.data.args[1] = reinterpret_cast<std::uint64_t>(end - sizeof argv);
  auto const request = read_from_self(notification);
  EXPECT_THAT(request.argv, ElementsAre("true"));
  EXPECT_FALSE(request.argv_cut);
  ::munmap(place, kPage);
}

}  // namespace
}  // namespace sallyport::jail
