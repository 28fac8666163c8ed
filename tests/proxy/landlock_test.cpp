#include "proxy/landlock.hpp"

#include "tests/proxy/child_outcome.hpp"

#include <gtest/gtest.h>

#include <fcntl.h>
#include <netinet/in.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

namespace sallyport::proxy {
namespace {

bool without_files() { return ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && give_up_files().has_value(); }
bool as_it_is() { return true; }

/// Without Landlock the call succeeds; with it, it fails with `error`.
template <class Call>
void taken_away(Call call, int error) {
  EXPECT_EQ(tests::outcome_in_child(as_it_is, call), 0);
  EXPECT_EQ(tests::outcome_in_child(without_files, call), error);
}

long open_null(int flags) { return ::open("/dev/null", flags); }

class Landlock : public ::testing::Test {
 protected:
  void SetUp() override {
    if (landlock_version() == 0) GTEST_SKIP() << "this kernel has no Landlock";
  }
  void needs(int version) {
    if (landlock_version() < version) GTEST_SKIP() << "needs version " << version << " of Landlock";
  }
};

TEST_F(Landlock, NoFileIsOpened) {
  taken_away([] { return open_null(O_RDONLY); }, EACCES);
  taken_away([] { return open_null(O_WRONLY); }, EACCES);
  taken_away([] { return static_cast<long>(::open("/", O_RDONLY | O_DIRECTORY)); }, EACCES);
}

TEST_F(Landlock, WhatIsOpenStaysOpen) {
  int const null = ::open("/dev/null", O_RDWR);
  ASSERT_GE(null, 0);
  EXPECT_EQ(tests::outcome_in_child(without_files, [null] { return ::write(null, "x", 1); }), 0);
  ::close(null);
}

TEST_F(Landlock, NoTcpPortIsBound) {
  needs(4);
  taken_away(
      [] {
        sockaddr_in place{};
        place.sin_family = AF_INET;
        place.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        int const fd = ::socket(AF_INET, SOCK_STREAM, 0);
        return static_cast<long>(::bind(fd, reinterpret_cast<sockaddr*>(&place), sizeof place));
      },
      EACCES);
}

TEST_F(Landlock, NoSignalReachesAnotherProcess) {
  needs(6);
  taken_away([] { return static_cast<long>(::kill(::getppid(), 0)); }, EPERM);
}

TEST_F(Landlock, NothingChangesWithoutNoNewPrivs) {
  if (::geteuid() == 0) GTEST_SKIP() << "root needs no no_new_privs";
  EXPECT_EQ(tests::outcome_in_child(as_it_is, [] { return give_up_files() ? 0L : -1L; }), EPERM);
}

}  // namespace
}  // namespace sallyport::proxy
