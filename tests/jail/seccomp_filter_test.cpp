#include "jail/seccomp_filter.hpp"

#include "tests/jail/filtered.hpp"

#include <gtest/gtest.h>

#include <fcntl.h>
#include <linux/netlink.h>
#include <netinet/in.h>
#include <sched.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>

namespace sallyport::jail {
namespace {

using Arguments = std::array<unsigned long, 6>;

constexpr unsigned long kHigh = 0xdeadbeef00000000UL;  // the kernel ignores the upper half of an int argument
constexpr long kFchmodat2 = 452;
char const kNoPath[] = "/absent/file";
unsigned long const kPath = reinterpret_cast<unsigned long>(kNoPath);
unsigned long const kHere = static_cast<unsigned long>(AT_FDCWD);

/// errno of the call under the filter; 0 when it was done. `reported` counts notifications, which are refused.
struct Answer {
  int error = 0;
  int reported = 0;
};
Answer answer_to(long number, Arguments a) {
  Filtered process([&] {
    long const done = ::syscall(number, a[0], a[1], a[2], a[3], a[4], a[5]);
    return done < 0 ? errno : 0;
  });
  Answer out;
  out.reported = process.refuse_all();
  int const status = process.child().wait();
  EXPECT_TRUE(WIFEXITED(status)) << number << " ended the process";
  out.error = WEXITSTATUS(status);
  return out;
}

void refused(long number, Arguments a) {
  auto const answer = answer_to(number, a);
  EXPECT_EQ(answer.error, EPERM) << "system call " << number << " " << std::hex << a[0] << " " << a[1] << " " << a[2];
  EXPECT_EQ(answer.reported, 0) << "system call " << number;
}
void reported(long number, Arguments a) {
  EXPECT_EQ(answer_to(number, a).reported, 1)
      << "system call " << number << " " << std::hex << a[0] << " " << a[1] << " " << a[2];
}
/// Goes to the kernel, which answers in its own way.
void passed(int error, long number, Arguments a) {
  auto const answer = answer_to(number, a);
  EXPECT_EQ(answer.error, error) << "system call " << number << " " << std::hex << a[0] << " " << a[1] << " " << a[2];
  EXPECT_EQ(answer.reported, 0) << "system call " << number;
}

TEST(SeccompFilter, RefusesWhatAJailedCommandMayNotDo) {
  for (long number : {SYS_setns,
                      SYS_mount,
                      SYS_umount2,
                      SYS_pivot_root,
                      SYS_chroot,
                      SYS_open_tree,
                      SYS_move_mount,
                      SYS_fsopen,
                      SYS_mount_setattr,
                      SYS_open_by_handle_at,
                      SYS_init_module,
                      SYS_finit_module,
                      SYS_kexec_load,
                      SYS_reboot,
                      SYS_swapon,
                      SYS_bpf,
                      SYS_perf_event_open,
                      SYS_userfaultfd,
                      SYS_io_uring_setup,
                      SYS_keyctl,
                      SYS_add_key,
                      SYS_process_vm_readv,
                      SYS_process_vm_writev,
                      SYS_kcmp,
                      SYS_clock_settime})
    refused(number, {});
}

TEST(SeccompFilter, RefusesEveryKindOfNewNamespace) {
  for (unsigned long flag :
       {CLONE_NEWNS, CLONE_NEWUTS, CLONE_NEWIPC, CLONE_NEWUSER, CLONE_NEWPID, CLONE_NEWNET, CLONE_NEWCGROUP}) {
    refused(SYS_unshare, {flag});
    refused(SYS_unshare, {flag | kHigh | CLONE_FILES});
    refused(SYS_clone, {flag | SIGCHLD});
  }
  refused(SYS_unshare, {CLONE_NEWTIME});
  passed(0, SYS_unshare, {CLONE_FILES});
}

TEST(SeccompFilter, PretendsThatCallsWithHiddenFlagsDoNotExist) {
  passed(ENOSYS, SYS_clone3, {});
  passed(ENOSYS, SYS_openat2, {});
}

TEST(SeccompFilter, RefusesSetIdFilesHoweverTheyAreMade) {
  for (unsigned long mode : {04755UL, 02755UL, 06755UL, kHigh | 04755UL}) {
    refused(SYS_chmod, {kPath, mode});
    refused(SYS_fchmod, {99, mode});
    refused(SYS_fchmodat, {kHere, kPath, mode});
    refused(kFchmodat2, {kHere, kPath, mode});
    refused(SYS_mkdir, {kPath, mode});
    refused(SYS_mkdirat, {kHere, kPath, mode});
    refused(SYS_mknod, {kPath, mode | S_IFREG});
    refused(SYS_mknodat, {kHere, kPath, mode | S_IFREG});
    refused(SYS_creat, {kPath, mode});
    refused(SYS_open, {kPath, O_CREAT | O_WRONLY, mode});
    refused(SYS_openat, {kHere, kPath, O_CREAT | O_WRONLY, mode});
    refused(SYS_openat, {kHere, kPath, kHigh | O_CREAT, mode});
    refused(SYS_openat, {kHere, kPath, O_TMPFILE | O_RDWR, mode});
  }
}

TEST(SeccompFilter, LeavesOrdinaryModesAlone) {
  passed(ENOENT, SYS_chmod, {kPath, 0755});
  passed(ENOENT, SYS_chmod, {kPath, 01777});
  passed(EBADF, SYS_fchmod, {99, 0644});
  passed(ENOENT, SYS_openat, {kHere, kPath, O_CREAT | O_WRONLY, 0644});
  passed(ENOENT, SYS_openat, {kHere, kPath, O_RDONLY | O_DIRECTORY, 04755});  // the mode means nothing without O_CREAT
}

TEST(SeccompFilter, RefusesToTypeIntoATerminal) {
  constexpr unsigned long kTiocLinux = 0x541c;
  char const byte = 'x';
  auto const argument = reinterpret_cast<unsigned long>(&byte);
  refused(SYS_ioctl, {0, TIOCSTI, argument});
  refused(SYS_ioctl, {0, kHigh | TIOCSTI, argument});
  refused(SYS_ioctl, {0, kTiocLinux, argument});
  refused(SYS_ioctl, {0, kHigh | kTiocLinux, argument});
  passed(EBADF, SYS_ioctl, {99, TIOCGWINSZ, argument});
}

TEST(SeccompFilter, ReportsSocketsThatLeadPastTheProxy) {
  reported(SYS_socket, {AF_PACKET, SOCK_RAW, 0});
  reported(SYS_socket, {AF_INET, SOCK_RAW, IPPROTO_ICMP});
  reported(SYS_socket, {AF_INET6, SOCK_RAW, IPPROTO_RAW});
  reported(SYS_socket, {AF_INET, SOCK_RAW | SOCK_CLOEXEC, IPPROTO_TCP});
  reported(SYS_socket, {AF_INET, SOCK_SEQPACKET, 132});
  reported(SYS_socket, {AF_INET, SOCK_DGRAM, IPPROTO_ICMP});
  reported(SYS_socket, {AF_INET6, SOCK_DGRAM, IPPROTO_ICMPV6});
  reported(SYS_socket, {AF_NETLINK, SOCK_RAW, NETLINK_NETFILTER});
  reported(SYS_socket, {AF_VSOCK, SOCK_STREAM, 0});
  reported(SYS_socket, {AF_ALG, SOCK_SEQPACKET, 0});
  reported(SYS_socket, {AF_XDP, SOCK_RAW, 0});
  reported(SYS_socket, {AF_UNSPEC, SOCK_STREAM, 0});
}

TEST(SeccompFilter, IsNotFooledByTheUpperHalfOfAnArgument) {
  reported(SYS_socket, {kHigh | AF_PACKET, SOCK_RAW, 0});
  reported(SYS_socket, {kHigh | AF_VSOCK, SOCK_STREAM, 0});
  reported(SYS_socket, {kHigh | AF_KEY, SOCK_RAW, 2});
  reported(SYS_socket, {kHigh | AF_INET, SOCK_RAW, IPPROTO_RAW});
  reported(SYS_socket, {AF_INET, kHigh | SOCK_RAW, IPPROTO_RAW});
  reported(SYS_socket, {AF_INET, SOCK_DGRAM, kHigh | IPPROTO_ICMP});
  reported(SYS_socket, {kHigh | AF_NETLINK, SOCK_RAW, NETLINK_NETFILTER});
}

TEST(SeccompFilter, LeavesOrdinarySocketsAlone) {
  passed(0, SYS_socket, {AF_UNIX, SOCK_STREAM, 0});
  passed(0, SYS_socket, {AF_INET, SOCK_STREAM, 0});
  passed(0, SYS_socket, {AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, IPPROTO_TCP});
  passed(0, SYS_socket, {AF_INET, SOCK_DGRAM, IPPROTO_UDP});
  passed(0, SYS_socket, {AF_NETLINK, SOCK_RAW, NETLINK_ROUTE});
}

TEST(SeccompFilter, ReportsEveryExec) {
  reported(SYS_execve, {kPath});
  reported(SYS_execveat, {kHere, kPath});
}

TEST(SeccompFilter, ReportsEveryDialThatNamesAnAddress) {
  unsigned long const address = 8;  // any pointer
  reported(SYS_connect, {99, address, 16});
  reported(SYS_sendto, {99, 0, 0, 0, address, 16});
  passed(EBADF, SYS_sendto, {99, 0, 0, 0, 0, 0});
}

TEST(SeccompFilter, EndsAProcessThatUsesAnotherCallingConvention) {
#ifdef __x86_64__
  constexpr long kX32 = 0x40000000;
  Filtered process([] { return static_cast<int>(::syscall(kX32 | SYS_getpid)); });
  process.refuse_all();
  int const status = process.child().wait();
  EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGSYS) << status;
#else
  GTEST_SKIP() << "this architecture has one calling convention";
#endif
}

}  // namespace
}  // namespace sallyport::jail
