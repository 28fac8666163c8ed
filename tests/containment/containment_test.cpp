// The position of an attacker who runs code inside the gateway: what every system call that would get him further answers there, and
// that the same call is not refused in a process that is not confined.

#include "tests/proxy/gateway_harness.hpp"
#include "tests/containment/gateway_hole.hpp"

#include <gtest/gtest.h>

#include <fcntl.h>
#include <netinet/in.h>
#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <vector>

namespace sallyport::tests {
namespace {

/// A child that only waits, with nothing taken from it.
class FreeProcess {
 public:
  FreeProcess() {
    pid_ = ::fork();
    if (pid_ != 0) return;
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    for (;;) ::pause();
  }
  ~FreeProcess() {
    ::kill(pid_, SIGKILL);
    ::waitpid(pid_, nullptr, 0);
  }
  FreeProcess(FreeProcess const&) = delete;
  FreeProcess& operator=(FreeProcess const&) = delete;
  pid_t pid() const { return pid_; }

 private:
  pid_t pid_ = -1;
};

class Containment : public ::testing::Test {
 protected:
  bool is_refused(pid_t pid, Syscall const& call) {
    auto const answer = hole_.run(pid, call);
    return answer.result < 0 && (answer.error == EPERM || answer.error == EACCES || answer.error == ENOSYS);
  }
  /// Refused in the gateway, and not elsewhere: without that half the test could not fail.
  void refused(Syscall const& call) {
    SCOPED_TRACE(call.name);
    EXPECT_TRUE(is_refused(gateway_.pid(), call)) << "ESCAPED";
    EXPECT_FALSE(is_refused(free_.pid(), call)) << "refused without confinement, too";
  }
  long text(std::string const& value) { return hole_.put(value); }

  GatewayHole hole_;
  FreeProcess free_;
  GatewayHarness gateway_{"  - hosts: [allowed.example]\n", {}};
};

TEST_F(Containment, TheHoleIsReal) {
  EXPECT_EQ(hole_.run(gateway_.pid(), {"getpid", SYS_getpid, {}}).result, gateway_.pid());
  EXPECT_EQ(hole_.run(free_.pid(), {"getpid", SYS_getpid, {}}).result, free_.pid());
}

TEST_F(Containment, NoFileIsWithinReach) {
  long const here = text("/"), passwd = text("/etc/passwd"), own = text("/proc/self/mem"), nowhere = text("/nonexistent/x");
  for (auto const& call : std::vector<Syscall>{
           {"read a file", SYS_openat, {AT_FDCWD, passwd, O_RDONLY}},
           {"read a file, the old way", SYS_open, {passwd, O_RDONLY}},
           {"list a directory", SYS_openat, {AT_FDCWD, here, O_RDONLY | O_DIRECTORY}},
           {"its own memory as a file", SYS_openat, {AT_FDCWD, own, O_RDWR}},
           {"make a file", SYS_openat, {AT_FDCWD, nowhere, O_CREAT | O_WRONLY, 0600}},
           {"remove a file", SYS_unlinkat, {AT_FDCWD, nowhere}},
           {"rename a file", SYS_renameat2, {AT_FDCWD, nowhere, AT_FDCWD, nowhere}},
           {"facts of a file", SYS_newfstatat, {AT_FDCWD, passwd, hole_.memory() + 4096}},
           {"where a link leads", SYS_readlinkat, {AT_FDCWD, text("/proc/self/exe"), hole_.memory() + 4096, 256}},
           {"another working directory", SYS_chdir, {here}},
           {"watch files", SYS_inotify_init1, {0}},
           {"a file in memory", SYS_memfd_create, {text("x"), 0}},
       }) {
    refused(call);
  }
}

TEST_F(Containment, NoCodeOfItsOwn) {
  long const shell = text("/nonexistent/sh");
  for (auto const& call : std::vector<Syscall>{
           {"execute", SYS_execve, {shell, 0, 0}},
           {"execute a descriptor", SYS_execveat, {-1, shell, 0, 0, 0}},
           {"executable memory", SYS_mmap, {0, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0}},
           {"memory made executable", SYS_mprotect, {hole_.memory() & ~4095L, 4096, PROT_READ | PROT_WRITE | PROT_EXEC}},
           {"io_uring", SYS_io_uring_setup, {1, 0}},
           {"bpf", SYS_bpf, {-1, 0, 0}},
           {"userfaultfd", SYS_userfaultfd, {-1}},
       }) {
    if (call.number == SYS_bpf || call.number == SYS_userfaultfd || call.number == SYS_io_uring_setup) {
      EXPECT_TRUE(is_refused(gateway_.pid(), call)) << call.name << ": ESCAPED";  // the host may refuse these to everybody
    } else {
      refused(call);
    }
  }
}

TEST_F(Containment, NoOtherProcessIsWithinReach) {
  long const supervisor = ::getpid();
  for (auto const& call : std::vector<Syscall>{
           {"signal the supervisor", SYS_kill, {supervisor, 0}},
           {"signal a thread of it", SYS_tgkill, {supervisor, supervisor, 0}},
           {"signal it by descriptor", SYS_pidfd_send_signal, {-1, 0, 0, 0}},
           {"hold it", SYS_pidfd_open, {supervisor, 0}},
           {"trace", SYS_ptrace, {PTRACE_PEEKUSER, supervisor, 0, 0}},
           {"read memory", SYS_process_vm_readv, {::getpid(), 0, 0, 0, 0, 0}},
           {"take a descriptor", SYS_pidfd_getfd, {-1, 0, 0}},
           {"its limits", SYS_prlimit64, {supervisor, 4, 0, 0}},
           {"its priority", SYS_setpriority, {PRIO_PROCESS, supervisor, 20}},
           {"make a process", SYS_clone, {SIGCHLD | CLONE_VM | CLONE_THREAD, 0, 0, 0, 0}},  // EINVAL where it is not refused
       }) {
    refused(call);
  }
}

TEST_F(Containment, NoOtherSocketsThanOutboundOnes) {
  for (auto const& call : std::vector<Syscall>{
           {"a Unix socket", SYS_socket, {AF_UNIX, SOCK_STREAM, 0}},
           {"netlink", SYS_socket, {AF_NETLINK, SOCK_RAW, 0}},
           {"bind", SYS_bind, {-1, 0, 0}},
           {"listen", SYS_listen, {-1, 1}},
           {"a signal from a descriptor", SYS_fcntl, {0, F_SETOWN, 1}},
       }) {
    refused(call);
  }
  EXPECT_GE(hole_.run(gateway_.pid(), {"a TCP socket", SYS_socket, {AF_INET, SOCK_STREAM, 0}}).result, 0);
}

TEST_F(Containment, NoMoreAuthority) {
  long const nowhere = text("/nonexistent/x");
  for (auto const& call : std::vector<Syscall>{
           {"a new namespace", SYS_unshare, {CLONE_FS}},
           {"another namespace", SYS_setns, {-1, 0}},
           {"mount", SYS_umount2, {nowhere, 0}},
           {"another uid", SYS_setuid, {static_cast<long>(::getuid())}},
           {"core files", SYS_prctl, {PR_SET_DUMPABLE, 1, 0, 0, 0}},
           {"a name", SYS_prctl, {PR_SET_NAME, nowhere, 0, 0, 0}},
           {"keys", SYS_keyctl, {-1, 0, 0, 0, 0}},
           {"another filter", SYS_seccomp, {-1, 0, 0}},
       }) {
    refused(call);
  }
}

TEST_F(Containment, ItServesAfterAllThat) {
  EXPECT_TRUE(is_refused(gateway_.pid(), {"execute", SYS_execve, {text("/bin/sh"), 0, 0}}));
  EXPECT_EQ(gateway_.stop(), 0);
}

}  // namespace
}  // namespace sallyport::tests
