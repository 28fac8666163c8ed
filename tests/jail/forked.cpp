#include "tests/jail/forked.hpp"

#include <gtest/gtest.h>

#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <fstream>
#include <string>
#include <system_error>

namespace sallyport::jail {
namespace {

constexpr int kNotExecuted = 127;

void require(bool done, char const* what) {
  if (!done) throw std::system_error(errno, std::generic_category(), what);
}

void write_map(char const* path, std::string const& text) {
  std::ofstream file(path);
  file << text << std::flush;
  require(static_cast<bool>(file), path);
}

void enter_own_network() {
  uid_t const uid = ::getuid();
  gid_t const gid = ::getgid();
  require(::unshare(CLONE_NEWUSER | CLONE_NEWNET) == 0, "unshare");
  write_map("/proc/self/setgroups", "deny");
  write_map("/proc/self/uid_map", "0 " + std::to_string(uid) + " 1");
  write_map("/proc/self/gid_map", "0 " + std::to_string(gid) + " 1");
  // The change made this process and its children unreadable in /proc, which a supervisor reads from outside.
  require(::prctl(PR_SET_DUMPABLE, 1, 0, 0, 0) == 0, "prctl");
}

int verdict_of(std::function<void()> const& body) {
  try {
    body();
  } catch (std::exception const& e) { ADD_FAILURE() << "in the forked child: " << e.what(); }
  return ::testing::Test::HasFailure() ? 1 : 0;
}

}  // namespace

void isolated(std::function<void()> const& body) {
  int const status = Child([&] { return verdict_of(body); }).wait();
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << "the forked child ended with status " << status;
}

void in_own_network(std::function<void()> const& body) {
  isolated([&] {
    enter_own_network();
    body();
  });
}

Child::Child(std::function<int()> const& body) {
  std::fflush(nullptr);
  pid_ = ::fork();
  require(pid_ >= 0, "fork");
  if (pid_ > 0) return;
  int const status = body();
  std::fflush(nullptr);
  ::_exit(status);
}

Child::~Child() {
  if (reaped_) return;
  kill(SIGKILL);
  ::waitpid(pid_, nullptr, 0);
}

void Child::kill(int signal) const { ::kill(pid_, signal); }

int Child::wait() {
  int status = 0;
  require(::waitpid(pid_, &status, 0) == pid_, "waitpid");
  reaped_ = true;
  return status;
}

void Child::wait_for_zombie() const {
  siginfo_t info{};
  require(::waitid(P_PID, static_cast<id_t>(pid_), &info, WEXITED | WNOWAIT) == 0, "waitid");
}

Gate::Gate() {
  int ends[2];
  require(::pipe2(ends, O_CLOEXEC) == 0, "pipe2");
  read_fd_ = ends[0];
  write_fd_ = ends[1];
}

Gate::~Gate() {
  ::close(read_fd_);
  close_writer();
}

void Gate::open() const { require(::write(write_fd_, "g", 1) == 1, "opening a gate"); }

void Gate::pass() const {
  char byte = 0;
  require(::read(read_fd_, &byte, 1) >= 0, "passing a gate");
}

void Gate::close_writer() {
  if (write_fd_ >= 0) ::close(write_fd_);
  write_fd_ = -1;
}

int execute(char const* path, char const* const* argv) {
  ::execv(path, const_cast<char* const*>(argv));  // execve(2) takes char*, and changes nothing
  return kNotExecuted;
}

}  // namespace sallyport::jail
