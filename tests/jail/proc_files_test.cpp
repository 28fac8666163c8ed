#include "jail/proc_files.hpp"

#include "tests/jail/forked.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <signal.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>

namespace sallyport::jail {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

/// Of a child that does nothing.
class ProcFiles : public ::testing::Test {
 protected:
  ProcFiles()
      : child_([] {
          ::pause();
          return 0;
        }),
        process_(ProcDirectory::open(child_.pid())) {
    EXPECT_TRUE(process_);
  }
  Child child_;
  Result<ProcDirectory> process_;
};

TEST_F(ProcFiles, TellWhatAProcessRuns) {
  EXPECT_EQ(process_->exe(), std::filesystem::read_symlink("/proc/self/exe"));
  EXPECT_EQ(process_->cwd(), std::filesystem::current_path());
  EXPECT_EQ(process_->argv(), ProcDirectory::open(::getpid())->argv());
  struct stat own {};
  ASSERT_EQ(::stat("/proc/self/exe", &own), 0);
  auto const file = process_->exe_file();
  ASSERT_TRUE(file);
  EXPECT_EQ(file->st_ino, own.st_ino);
}

TEST_F(ProcFiles, TellWhoseProcessItIs) {
  auto const status = process_->status();
  ASSERT_TRUE(status);
  EXPECT_EQ(status->ppid, ::getpid());
  EXPECT_EQ(status->uid, ::getuid());
}

TEST_F(ProcFiles, SayNothingOfAProcessThatEnded) {
  child_.kill(SIGKILL);
  child_.wait();
  EXPECT_EQ(process_->exe(), "");
  EXPECT_EQ(process_->cwd(), "");
  EXPECT_THAT(process_->argv(), IsEmpty());
  EXPECT_FALSE(process_->status());
  EXPECT_FALSE(process_->exe_file());
  EXPECT_FALSE(process_->root());
  EXPECT_FALSE(process_->has_socket(1));
  EXPECT_FALSE(ProcDirectory::open(child_.pid()));
}

TEST_F(ProcFiles, HaveNoArgumentsForAZombie) {
  child_.kill(SIGKILL);
  child_.wait_for_zombie();
  EXPECT_THAT(process_->argv(), IsEmpty());
  EXPECT_FALSE(process_->exe_file());
}

TEST(ProcDirectoryTest, KeepsEveryArgumentAlsoEmptyOnes) {
  Gate executed;
  char const* const argv[] = {"sh", "-c", "kill -STOP $$", "", "60", nullptr};  // stays until it is killed
  Child const child([&] { return execute("/bin/sh", argv); });
  executed.close_writer();
  executed.pass();
  EXPECT_THAT(ProcDirectory::open(child.pid())->argv(), ElementsAre("sh", "-c", "kill -STOP $$", "", "60"));
}

TEST(ProcDirectoryTest, FindsTheSocketOfAProcess) {
  int const fd = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  struct stat info {};
  ASSERT_EQ(::fstat(fd, &info), 0);
  auto const self = ProcDirectory::open(::getpid());
  EXPECT_TRUE(self->has_socket(info.st_ino));
  ::close(fd);
  EXPECT_FALSE(self->has_socket(info.st_ino));
}

TEST(ProcDirectoryTest, OpensWhatALinkLeadsTo) {
  auto const self = ProcDirectory::open(::getpid());
  struct stat through {
  }, direct{};
  auto const exe = self->open_path("exe");
  ASSERT_TRUE(exe);
  ASSERT_EQ(::fstat(exe->get(), &through), 0);
  ASSERT_EQ(::stat("/proc/self/exe", &direct), 0);
  EXPECT_EQ(through.st_ino, direct.st_ino);
  EXPECT_FALSE(self->open_path("fd/999999"));
}

TEST(ProcessTree, HoldsDescendantsBehindTheirParents) {
  Gate forked;
  Child const outer([&] {
    Child const inner([&] {
      forked.open();
      ::pause();
      return 0;
    });
    ::pause();
    return 0;
  });
  forked.pass();
  auto const tree = process_tree(outer.pid());
  ASSERT_EQ(tree.size(), 2U);
  EXPECT_EQ(tree[0], outer.pid());
  EXPECT_EQ(ProcDirectory::open(tree[1])->status()->ppid, outer.pid());
  ::kill(tree[1], SIGKILL);
}

}  // namespace
}  // namespace sallyport::jail
