#include "jail/seccomp_filter.hpp"

#include "base/seccomp_export.hpp"

#include <fcntl.h>
#include <linux/netlink.h>
#include <netinet/in.h>
#include <sched.h>
#include <seccomp.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/stat.h>

#include <cerrno>
#include <memory>
#include <span>

namespace sallyport::jail {
namespace {

// Not in the libseccomp of Debian 12; the number is the same on every architecture.
constexpr int kFchmodat2 = 452;

constexpr int kForbidden[] = {
    // namespaces and roots
    SCMP_SYS(setns), SCMP_SYS(mount), SCMP_SYS(umount), SCMP_SYS(umount2), SCMP_SYS(pivot_root), SCMP_SYS(chroot),
    SCMP_SYS(open_tree), SCMP_SYS(move_mount), SCMP_SYS(fsopen), SCMP_SYS(fsconfig), SCMP_SYS(fsmount), SCMP_SYS(fspick),
    SCMP_SYS(mount_setattr), SCMP_SYS(open_by_handle_at),
    // the kernel itself
    SCMP_SYS(init_module), SCMP_SYS(finit_module), SCMP_SYS(delete_module), SCMP_SYS(kexec_load), SCMP_SYS(kexec_file_load),
    SCMP_SYS(reboot), SCMP_SYS(swapon), SCMP_SYS(swapoff), SCMP_SYS(acct), SCMP_SYS(syslog), SCMP_SYS(quotactl),
    SCMP_SYS(settimeofday), SCMP_SYS(clock_settime), SCMP_SYS(iopl), SCMP_SYS(ioperm), SCMP_SYS(vhangup),
    // large attack surface that build tools and agents do not need
    SCMP_SYS(bpf), SCMP_SYS(perf_event_open), SCMP_SYS(userfaultfd), SCMP_SYS(io_uring_setup), SCMP_SYS(io_uring_enter),
    SCMP_SYS(io_uring_register), SCMP_SYS(keyctl), SCMP_SYS(add_key), SCMP_SYS(request_key),
    // another process's memory
    SCMP_SYS(process_vm_readv), SCMP_SYS(process_vm_writev), SCMP_SYS(kcmp),
};

constexpr int kPretendMissing[] = {SCMP_SYS(clone3), SCMP_SYS(openat2)};

constexpr std::uint64_t kNamespaceFlags = CLONE_NEWNS | CLONE_NEWCGROUP | CLONE_NEWUTS | CLONE_NEWIPC | CLONE_NEWUSER | CLONE_NEWPID |
                                          CLONE_NEWNET | CLONE_NEWTIME;

/// Adds rules to one filter and remembers the first failure.
class Builder {
 public:
  explicit Builder(scmp_filter_ctx context) : context_(context) {}

  void refuse(int call) { add(SCMP_ACT_ERRNO(EPERM), call, {}); }
  void pretend_missing(int call) { add(SCMP_ACT_ERRNO(ENOSYS), call, {}); }
  void notify(int call) { add(SCMP_ACT_NOTIFY, call, {}); }
  void notify_if(int call, std::span<scmp_arg_cmp const> all_of) { add(SCMP_ACT_NOTIFY, call, all_of); }

  /// One rule a bit: refused when any of `bits` is set in argument `index`. Only the low 32 bits count for the kernel, too.
  void refuse_if_any(int call, unsigned index, std::uint64_t bits) {
    for (std::uint64_t bit = 1; bit != 0 && bit <= bits; bit <<= 1) {
      if (bits & bit) refuse_if(call, {index, SCMP_CMP_MASKED_EQ, bit, bit});
    }
  }
  void refuse_if(int call, scmp_arg_cmp condition) { refuse_all(call, {&condition, 1}); }
  void refuse_all(int call, std::span<scmp_arg_cmp const> all_of) { add(SCMP_ACT_ERRNO(EPERM), call, all_of); }

  int error() const { return error_; }

 private:
  void add(std::uint32_t action, int call, std::span<scmp_arg_cmp const> all_of) {
    int const done = ::seccomp_rule_add_array(context_, action, call, static_cast<unsigned>(all_of.size()), all_of.data());
    // A call that this architecture does not have needs no rule.
    if (done < 0 && done != -EDOM && error_ == 0) error_ = -done;
  }
  scmp_filter_ctx context_;
  int error_ = 0;
};

scmp_arg_cmp masked(unsigned index, std::uint64_t mask, std::uint64_t value) { return {index, SCMP_CMP_MASKED_EQ, mask, value}; }

void refuse_namespaces(Builder& b) {
  b.refuse_if_any(SCMP_SYS(unshare), 0, kNamespaceFlags);
  b.refuse_if_any(SCMP_SYS(clone), 0, kNamespaceFlags & ~std::uint64_t{CLONE_NEWTIME});  // that bit is part of clone's exit signal
}

void refuse_set_id_files(Builder& b) {
  constexpr std::uint64_t kSetId = S_ISUID | S_ISGID;
  b.refuse_if_any(SCMP_SYS(chmod), 1, kSetId);
  b.refuse_if_any(SCMP_SYS(fchmod), 1, kSetId);
  b.refuse_if_any(SCMP_SYS(fchmodat), 2, kSetId);
  b.refuse_if_any(kFchmodat2, 2, kSetId);
  b.refuse_if_any(SCMP_SYS(mkdir), 1, kSetId);
  b.refuse_if_any(SCMP_SYS(mkdirat), 2, kSetId);
  b.refuse_if_any(SCMP_SYS(mknod), 1, kSetId);
  b.refuse_if_any(SCMP_SYS(mknodat), 2, kSetId);
  b.refuse_if_any(SCMP_SYS(creat), 1, kSetId);
  for (std::uint64_t bit : {std::uint64_t{S_ISUID}, std::uint64_t{S_ISGID}}) {
    for (std::uint64_t flag : {std::uint64_t{O_CREAT}, std::uint64_t{O_TMPFILE & ~O_DIRECTORY}}) {
      scmp_arg_cmp const open_mode[] = {masked(1, flag, flag), masked(2, bit, bit)};
      scmp_arg_cmp const openat_mode[] = {masked(2, flag, flag), masked(3, bit, bit)};
      b.refuse_all(SCMP_SYS(open), open_mode);
      b.refuse_all(SCMP_SYS(openat), openat_mode);
    }
  }
}

void refuse_terminal_input(Builder& b) {
  constexpr std::uint64_t kLow32 = 0xffffffff;  // the kernel looks at 32 bits of the request
  constexpr std::uint64_t kTiocLinux = 0x541c;
  b.refuse_if(SCMP_SYS(ioctl), masked(1, kLow32, TIOCSTI));
  b.refuse_if(SCMP_SYS(ioctl), masked(1, kLow32, kTiocLinux));
}

/// socket(2) other than Unix, TCP, UDP and route netlink goes to the supervisor, which writes it down and refuses it.
void report_sockets(Builder& b) {
  constexpr std::uint64_t kLow32 = 0xffffffff, kTypeBits = 0xf;
  int const call = SCMP_SYS(socket);
  scmp_arg_cmp const above_netlink[] = {{0, SCMP_CMP_GT, AF_NETLINK, 0}};
  b.notify_if(call, above_netlink);
  for (std::uint64_t family = AF_UNSPEC; family < AF_NETLINK; ++family) {
    if (family == AF_UNIX || family == AF_INET || family == AF_INET6) continue;
    scmp_arg_cmp const other[] = {masked(0, kLow32, family)};
    b.notify_if(call, other);
  }
  scmp_arg_cmp const netlink_other[] = {masked(0, kLow32, AF_NETLINK), {2, SCMP_CMP_NE, NETLINK_ROUTE, 0}};
  b.notify_if(call, netlink_other);
  for (std::uint64_t family : {AF_INET, AF_INET6}) {
    for (std::uint64_t type = 3; type <= kTypeBits; ++type) {  // SOCK_STREAM is 1, SOCK_DGRAM 2
      scmp_arg_cmp const raw[] = {masked(0, kLow32, family), masked(1, kTypeBits, type)};
      b.notify_if(call, raw);
    }
    for (std::uint64_t protocol : {std::uint64_t{IPPROTO_ICMP}, std::uint64_t{IPPROTO_ICMPV6}}) {
      scmp_arg_cmp const ping[] = {masked(0, kLow32, family), masked(2, kLow32, protocol)};
      b.notify_if(call, ping);
    }
  }
}

}  // namespace

Result<std::vector<std::uint64_t>> build_seccomp_filter() {
  // What a filter may ask for is the running kernel's business, not that of the one it is built on: 5 has user notification.
  if (int done = ::seccomp_api_set(5); done < 0) return Error::os(-done, "seccomp_api_set");
  std::unique_ptr<void, decltype(&::seccomp_release)> context(::seccomp_init(SCMP_ACT_ALLOW), ::seccomp_release);
  if (!context) return Error{Code::os, ENOMEM, "seccomp_init failed"};
  if (int done = ::seccomp_attr_set(context.get(), SCMP_FLTATR_ACT_BADARCH, SCMP_ACT_KILL_PROCESS); done < 0)
    return Error::os(-done, "seccomp_attr_set");
  if (int done = ::seccomp_attr_set(context.get(), SCMP_FLTATR_CTL_OPTIMIZE, 2); done < 0)  // binary tree
    return Error::os(-done, "seccomp_attr_set");
  Builder builder(context.get());
  for (int call : kForbidden) builder.refuse(call);
  for (int call : kPretendMissing) builder.pretend_missing(call);
  builder.notify(SCMP_SYS(execve));
  builder.notify(SCMP_SYS(execveat));
  builder.notify(SCMP_SYS(connect));
  scmp_arg_cmp const with_address[] = {{4, SCMP_CMP_NE, 0, 0}};
  builder.notify_if(SCMP_SYS(sendto), with_address);
  refuse_namespaces(builder);
  refuse_set_id_files(builder);
  refuse_terminal_input(builder);
  report_sockets(builder);
  if (builder.error() != 0) return Error::os(builder.error(), "building the seccomp filter");
  return export_program(context.get());
}

}  // namespace sallyport::jail
