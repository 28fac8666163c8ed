#include "jail/process_exit.hpp"

#include "tests/jail/forked.hpp"

#include <gtest/gtest.h>

#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

namespace sallyport::jail {
namespace {

UniqueFd pidfd_of(Child const& child) {
  return *UniqueFd::adopt(static_cast<int>(::syscall(SYS_pidfd_open, child.pid(), 0)), "pidfd_open");
}

/// Before Linux 6.15 the kernel does not tell; nothing else is expected of it then.
bool told(ExitInfo const& info) { return info.knowledge != ExitKnowledge::unavailable; }

TEST(ProcessExit, IsKnownOnceTheParentHasWaited) {
  Child child([] { return 7; });
  auto const pidfd = pidfd_of(child);
  child.wait();
  auto const info = exit_info(pidfd);
  if (!told(info)) GTEST_SKIP() << "this kernel has no PIDFD_GET_INFO";
  ASSERT_EQ(info.knowledge, ExitKnowledge::known);
  EXPECT_TRUE(WIFEXITED(info.status));
  EXPECT_EQ(WEXITSTATUS(info.status), 7);
}

TEST(ProcessExit, TellsASignalFromAnExit) {
  Child child([] {
    ::pause();
    return 0;
  });
  auto const pidfd = pidfd_of(child);
  child.kill(SIGTERM);
  child.wait();
  auto const info = exit_info(pidfd);
  if (!told(info)) GTEST_SKIP() << "this kernel has no PIDFD_GET_INFO";
  EXPECT_TRUE(WIFSIGNALED(info.status));
  EXPECT_EQ(WTERMSIG(info.status), SIGTERM);
}

TEST(ProcessExit, IsNotKnownOfAProcessThatRunsOrWaitsForItsParent) {
  Child child([] {
    ::pause();
    return 0;
  });
  auto const pidfd = pidfd_of(child);
  EXPECT_NE(exit_info(pidfd).knowledge, ExitKnowledge::known);
  child.kill(SIGKILL);
  child.wait_for_zombie();
  EXPECT_NE(exit_info(pidfd).knowledge, ExitKnowledge::known);
}

TEST(ProcessExit, IsUnavailableOfWhatIsNoPidfd) {
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  auto const end = *UniqueFd::adopt(ends[0], "pipe");
  ::close(ends[1]);
  EXPECT_EQ(exit_info(end).knowledge, ExitKnowledge::unavailable);
}

}  // namespace
}  // namespace sallyport::jail
