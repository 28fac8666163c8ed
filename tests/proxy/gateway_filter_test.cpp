#include "proxy/confine.hpp"

#include "tests/proxy/child_outcome.hpp"

#include <gtest/gtest.h>

#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#include <string>
#include <vector>

namespace sallyport::proxy {
namespace {

constexpr char const* kNowhere = "/nonexistent/file";

bool filtered() { return ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && load_gateway_filter().has_value(); }
bool unfiltered() { return true; }

struct Call {
  std::string name;
  long (*make)();
};

void refused(Call const& call, int error) {
  SCOPED_TRACE(call.name);
  EXPECT_EQ(tests::outcome_in_child(filtered, call.make), error);
  EXPECT_NE(tests::outcome_in_child(unfiltered, call.make), error) << "the call fails so without the filter too";
}

void allowed(Call const& call) {
  SCOPED_TRACE(call.name);
  EXPECT_EQ(tests::outcome_in_child(filtered, call.make), 0);
}

// Without a filter each succeeds or fails with another error than EPERM, for an unprivileged process as well.
TEST(GatewayFilter, RefusesToExecuteTraceAndReachOtherProcesses) {
  for (auto const& call : std::vector<Call>{
           {"execve", [] { return ::syscall(SYS_execve, kNowhere, nullptr, nullptr); }},
           {"execveat", [] { return ::syscall(SYS_execveat, AT_FDCWD, kNowhere, nullptr, nullptr, 0); }},
           {"ptrace", [] { return ::ptrace(PTRACE_TRACEME, 0, nullptr, nullptr); }},
           {"process_vm_readv", [] { return ::syscall(SYS_process_vm_readv, ::getpid(), nullptr, 0, nullptr, 0, 0); }},
           {"process_vm_writev", [] { return ::syscall(SYS_process_vm_writev, ::getpid(), nullptr, 0, nullptr, 0, 0); }},
           {"pidfd_getfd", [] { return ::syscall(SYS_pidfd_getfd, -1, 0, 0); }},
           {"kcmp", [] { return ::syscall(SYS_kcmp, ::getpid(), ::getpid(), 0, 0, 0); }},
           {"fork", [] { return ::syscall(SYS_fork); }},
           {"a signal to its parent", [] { return static_cast<long>(::kill(::getppid(), 0)); }},
           {"a signal to itself", [] { return static_cast<long>(::kill(::getpid(), 0)); }},
           {"limits of another process", [] { return ::syscall(SYS_prlimit64, ::getppid(), RLIMIT_CORE, nullptr, nullptr); }},
       }) {
    refused(call, EPERM);
  }
}

TEST(GatewayFilter, RefusesToOpenMakeOrChangeFiles) {
  for (auto const& call : std::vector<Call>{
           {"open to read", [] { return ::syscall(SYS_openat, AT_FDCWD, "/dev/null", O_RDONLY); }},
           {"open to write", [] { return ::syscall(SYS_openat, AT_FDCWD, "/dev/null", O_WRONLY); }},
           {"create", [] { return ::syscall(SYS_openat, AT_FDCWD, kNowhere, O_CREAT | O_WRONLY, 0600); }},
           {"mknodat", [] { return ::syscall(SYS_mknodat, AT_FDCWD, kNowhere, S_IFIFO, 0); }},
           {"mkdirat", [] { return ::syscall(SYS_mkdirat, AT_FDCWD, kNowhere, 0700); }},
           {"unlinkat", [] { return ::syscall(SYS_unlinkat, AT_FDCWD, kNowhere, 0); }},
           {"renameat2", [] { return ::syscall(SYS_renameat2, AT_FDCWD, kNowhere, AT_FDCWD, kNowhere, 0); }},
           {"linkat", [] { return ::syscall(SYS_linkat, AT_FDCWD, kNowhere, AT_FDCWD, kNowhere, 0); }},
           {"symlinkat", [] { return ::syscall(SYS_symlinkat, "target", AT_FDCWD, kNowhere); }},
           {"truncate", [] { return ::syscall(SYS_truncate, kNowhere, 0); }},
           {"fchmodat", [] { return ::syscall(SYS_fchmodat, AT_FDCWD, kNowhere, 0600); }},
           {"fchownat", [] { return ::syscall(SYS_fchownat, AT_FDCWD, kNowhere, 0, 0, 0); }},
           {"memfd_create", [] { return ::syscall(SYS_memfd_create, "memory", 0); }},
       }) {
    refused(call, EPERM);
  }
}

long map(int protection) {
  return ::mmap(nullptr, 4096, protection, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) == MAP_FAILED ? -1 : 0;
}

TEST(GatewayFilter, RefusesCodeThatWasNotThere) {
  refused({"mmap", [] { return map(PROT_READ | PROT_EXEC); }}, EPERM);
  refused({"mprotect",
           [] {
             void* const page = ::mmap(nullptr, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
             return static_cast<long>(::mprotect(page, 4096, PROT_READ | PROT_EXEC));
           }},
          EPERM);
  allowed({"memory for data", [] { return map(PROT_READ | PROT_WRITE); }});
}

TEST(GatewayFilter, RefusesToTakeConnectionsAnywhereElse) {
  for (auto const& call : std::vector<Call>{
           {"bind", [] { return static_cast<long>(::bind(-1, nullptr, 0)); }},
           {"listen", [] { return static_cast<long>(::listen(-1, 1)); }},
       }) {
    refused(call, EPERM);
  }
}

TEST(GatewayFilter, RefusesMountsAndNamespaces) {
  for (auto const& call : std::vector<Call>{
           {"unshare", [] { return ::syscall(SYS_unshare, 0); }},
           {"setns", [] { return ::syscall(SYS_setns, -1, 0); }},
           {"mount", [] { return ::syscall(SYS_mount, nullptr, kNowhere, nullptr, 0, nullptr); }},
           {"umount2", [] { return ::syscall(SYS_umount2, kNowhere, 0); }},
           {"chroot", [] { return ::syscall(SYS_chroot, kNowhere); }},
           {"open_tree", [] { return ::syscall(SYS_open_tree, AT_FDCWD, kNowhere, 0); }},
       }) {
    refused(call, EPERM);
  }
}

/// CLONE_SIGHAND without CLONE_VM is EINVAL before any privilege is looked at.
template <int kNamespace>
long clone_into() {
  return ::syscall(SYS_clone, kNamespace | CLONE_SIGHAND, nullptr, nullptr, nullptr, nullptr);
}

TEST(GatewayFilter, RefusesToCloneIntoANewNamespace) {
  for (auto const& call : std::vector<Call>{
           {"mount", clone_into<CLONE_NEWNS>},
           {"cgroup", clone_into<CLONE_NEWCGROUP>},
           {"uts", clone_into<CLONE_NEWUTS>},
           {"ipc", clone_into<CLONE_NEWIPC>},
           {"user", clone_into<CLONE_NEWUSER>},
           {"pid", clone_into<CLONE_NEWPID>},
           {"net", clone_into<CLONE_NEWNET>},
       }) {
    refused(call, EPERM);
  }
}

TEST(GatewayFilter, CallsItCannotLookIntoAreUnknown) {
  refused({"clone3", [] { return ::syscall(SYS_clone3, nullptr, 0); }}, ENOSYS);
  refused({"openat2", [] { return ::syscall(SYS_openat2, AT_FDCWD, kNowhere, nullptr, 0); }}, ENOSYS);
  refused({"statx", [] { return ::syscall(SYS_statx, AT_FDCWD, kNowhere, 0, 0, nullptr); }}, ENOSYS);
}

template <int kFamily, int kType>
long open_socket() {
  return ::socket(kFamily, kType, 0);
}

TEST(GatewayFilter, SocketsAreIpv4OrIpv6) {
  for (auto const& call : std::vector<Call>{
           {"unix", open_socket<AF_UNIX, SOCK_STREAM>},
           {"netlink", open_socket<AF_NETLINK, SOCK_RAW>},
           {"sequence of packets", open_socket<AF_INET, SOCK_SEQPACKET>},
           {"no family", open_socket<AF_UNSPEC, SOCK_STREAM>},
       }) {
    refused(call, EPERM);
  }
  for (auto const& call : std::vector<Call>{
           {"IPv4 stream", open_socket<AF_INET, SOCK_STREAM>},
           {"IPv4 datagram", open_socket<AF_INET, SOCK_DGRAM>},
           {"IPv6 stream", open_socket<AF_INET6, SOCK_STREAM>},
       }) {
    allowed(call);
  }
}

}  // namespace
}  // namespace sallyport::proxy
