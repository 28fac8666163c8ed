// system_call NAME: makes one system call that a jailed process has no business with. Success is the escape.

#include "tests/guests/guest.hpp"

#include <fcntl.h>
#include <linux/bpf.h>
#include <linux/io_uring.h>
#include <linux/keyctl.h>
#include <linux/perf_event.h>
#include <linux/sched.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/ptrace.h>
#include <sys/reboot.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>
#include <csignal>

using namespace sallyport::guests;

namespace {

long unshare_user() { return ::unshare(CLONE_NEWUSER); }
long unshare_net() { return ::unshare(CLONE_NEWNET); }
long unshare_mount() { return ::unshare(CLONE_NEWNS); }
long unshare_user_net() { return ::unshare(CLONE_NEWUSER | CLONE_NEWNET); }

/// The child of a clone that worked ends at once.
long clone_with(std::uint64_t flags) {
  clone_args arguments{};
  arguments.flags = flags;
  arguments.exit_signal = SIGCHLD;
  long const pid = ::syscall(SYS_clone3, &arguments, sizeof arguments);
  if (pid == 0) ::_exit(0);
  return pid;
}
long clone3_user() { return clone_with(CLONE_NEWUSER); }
long clone3_user_net() { return clone_with(CLONE_NEWUSER | CLONE_NEWNET); }
long clone_user() {
  long const pid = ::syscall(SYS_clone, CLONE_NEWUSER | SIGCHLD, nullptr, nullptr, nullptr, nullptr);
  if (pid == 0) ::_exit(0);
  return pid;
}

long join_namespace(char const* path, int kind) {
  int const fd = ::open(path, O_RDONLY);
  return fd < 0 ? fd : ::setns(fd, kind);
}
long setns_net_of_init() { return join_namespace("/proc/1/ns/net", CLONE_NEWNET); }
long setns_mount_of_init() { return join_namespace("/proc/1/ns/mnt", CLONE_NEWNS); }
long setns_user_of_init() { return join_namespace("/proc/1/ns/user", CLONE_NEWUSER); }
long setns_pidfd_of_init() {
  long const fd = ::syscall(SYS_pidfd_open, 1, 0);
  return fd < 0 ? fd : ::setns(static_cast<int>(fd), CLONE_NEWNET | CLONE_NEWNS);
}
long pidfd_getfd_of_init() {
  long const fd = ::syscall(SYS_pidfd_open, 1, 0);
  return fd < 0 ? fd : ::syscall(SYS_pidfd_getfd, fd, 0, 0);
}

long mount_tmpfs() { return ::mount("none", "/tmp", "tmpfs", 0, nullptr); }
long mount_proc() { return ::mount("none", "/tmp", "proc", 0, nullptr); }
long bind_root() { return ::mount("/", "/tmp", nullptr, MS_BIND | MS_REC, nullptr); }
long remount_writable() { return ::mount(nullptr, "/usr", nullptr, MS_REMOUNT | MS_BIND, nullptr); }
long umount_proc() { return ::umount2("/proc", MNT_DETACH); }
long open_tree() { return ::syscall(SYS_open_tree, AT_FDCWD, "/", 1 /* OPEN_TREE_CLONE */); }
long fsopen_tmpfs() { return ::syscall(SYS_fsopen, "tmpfs", 0); }
long mount_setattr() {
  std::uint64_t const attributes[4] = {0, 1 /* clear MOUNT_ATTR_RDONLY */, 0, 0};
  return ::syscall(SYS_mount_setattr, AT_FDCWD, "/usr", 0, attributes, sizeof attributes);
}
long pivot_root() { return ::syscall(SYS_pivot_root, "/tmp", "/tmp"); }
long chroot_tmp() { return ::chroot("/tmp"); }

long io_uring() {
  io_uring_params parameters{};
  return ::syscall(SYS_io_uring_setup, 1, &parameters);
}
long bpf_map() {
  bpf_attr attributes{};
  attributes.map_type = BPF_MAP_TYPE_ARRAY;
  attributes.key_size = attributes.value_size = 4;
  attributes.max_entries = 1;
  return ::syscall(SYS_bpf, BPF_MAP_CREATE, &attributes, sizeof attributes);
}
long userfaultfd() { return ::syscall(SYS_userfaultfd, O_CLOEXEC); }
long perf_event() {
  perf_event_attr attributes{};
  attributes.type = PERF_TYPE_SOFTWARE;
  attributes.size = sizeof attributes;
  attributes.config = PERF_COUNT_SW_CPU_CLOCK;
  attributes.exclude_kernel = attributes.exclude_hv = 1;
  return ::syscall(SYS_perf_event_open, &attributes, 0, -1, -1, 0);
}
long keyctl_session() { return ::syscall(SYS_keyctl, KEYCTL_GET_KEYRING_ID, -3 /* KEY_SPEC_SESSION_KEYRING */, 1); }
long add_key() { return ::syscall(SYS_add_key, "user", "guest", "x", 1, -4 /* KEY_SPEC_USER_KEYRING */); }
long request_key() { return ::syscall(SYS_request_key, "user", "guest", nullptr, 0); }

long ptrace_init() { return ::ptrace(PTRACE_SEIZE, 1, nullptr, nullptr); }
long write_memory_of_init() {
  char byte = 0;
  iovec local{&byte, 1}, remote{reinterpret_cast<void*>(0x10000), 1};
  return ::process_vm_writev(1, &local, 1, &remote, 1, 0);
}
long read_memory_of_init() { return ::open("/proc/1/mem", O_RDWR); }

long open_by_handle() {
  alignas(int) unsigned char handle[16] = {8, 0, 0, 0, 1};
  return ::syscall(SYS_open_by_handle_at, AT_FDCWD, handle, O_RDONLY);
}
long load_module() { return ::syscall(SYS_init_module, "x", 1, ""); }
long kexec() { return ::syscall(SYS_kexec_load, 0, 0, nullptr, 0); }
long reboot_off() { return ::reboot(RB_DISABLE_CAD); }
long set_host_name() { return ::sethostname("guest", 5); }
long device_node() { return ::mknod("/tmp/kmem", S_IFCHR | 0600, static_cast<dev_t>((1 << 8) | 1)); }
long become_root() { return ::setuid(0); }
long read_kernel_log() { return ::syscall(SYS_syslog, 3 /* SYSLOG_ACTION_READ_ALL */, nullptr, 0); }
long swap_off() { return ::syscall(SYS_swapoff, "/dev/null"); }
long type_into_terminal() { return ::ioctl(STDIN_FILENO, TIOCSTI, "x"); }
long start_accounting() { return ::acct(nullptr); }

struct Call {
  char const* name;
  long (*make)();
};
constexpr Call kCalls[] = {
    {"unshare_user", unshare_user},
    {"unshare_net", unshare_net},
    {"unshare_mount", unshare_mount},
    {"unshare_user_net", unshare_user_net},
    {"clone3_user", clone3_user},
    {"clone3_user_net", clone3_user_net},
    {"clone_user", clone_user},
    {"setns_net_of_init", setns_net_of_init},
    {"setns_mount_of_init", setns_mount_of_init},
    {"setns_user_of_init", setns_user_of_init},
    {"setns_pidfd_of_init", setns_pidfd_of_init},
    {"pidfd_getfd_of_init", pidfd_getfd_of_init},
    {"mount_tmpfs", mount_tmpfs},
    {"mount_proc", mount_proc},
    {"bind_root", bind_root},
    {"remount_writable", remount_writable},
    {"umount_proc", umount_proc},
    {"open_tree", open_tree},
    {"fsopen_tmpfs", fsopen_tmpfs},
    {"mount_setattr", mount_setattr},
    {"pivot_root", pivot_root},
    {"chroot_tmp", chroot_tmp},
    {"io_uring", io_uring},
    {"bpf_map", bpf_map},
    {"userfaultfd", userfaultfd},
    {"perf_event", perf_event},
    {"keyctl_session", keyctl_session},
    {"add_key", add_key},
    {"request_key", request_key},
    {"ptrace_init", ptrace_init},
    {"write_memory_of_init", write_memory_of_init},
    {"read_memory_of_init", read_memory_of_init},
    {"open_by_handle", open_by_handle},
    {"load_module", load_module},
    {"kexec", kexec},
    {"reboot_off", reboot_off},
    {"set_host_name", set_host_name},
    {"device_node", device_node},
    {"become_root", become_root},
    {"read_kernel_log", read_kernel_log},
    {"swap_off", swap_off},
    {"start_accounting", start_accounting},
    {"type_into_terminal", type_into_terminal},
};

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) usage("system_call NAME");
  for (auto const& call : kCalls) {
    if (std::strcmp(call.name, argv[1]) != 0) continue;
    if (call.make() < 0) refused(errno);
    escaped(call.name);
  }
  usage("system_call NAME: no such call");
}
