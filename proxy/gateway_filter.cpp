#include "proxy/gateway_filter.hpp"

#include "base/defer.hpp"
#include "base/seccomp_export.hpp"

#include <sched.h>
#include <seccomp.h>
#include <sys/socket.h>

#include <array>
#include <cerrno>
#include <initializer_list>
#include <string>

namespace sallyport::proxy {
namespace {

// Calls the gateway has no use for, whatever their arguments.
constexpr std::array kRefused = {
    // execute, trace, reach into other processes
    SCMP_SYS(execve),
    SCMP_SYS(execveat),
    SCMP_SYS(fork),
    SCMP_SYS(vfork),
    SCMP_SYS(ptrace),
    SCMP_SYS(process_vm_readv),
    SCMP_SYS(process_vm_writev),
    SCMP_SYS(pidfd_getfd),
    SCMP_SYS(kcmp),
    SCMP_SYS(process_madvise),
    // open or make files
    SCMP_SYS(open),
    SCMP_SYS(openat),
    SCMP_SYS(creat),
    SCMP_SYS(mknod),
    SCMP_SYS(mknodat),
    SCMP_SYS(mkdir),
    SCMP_SYS(mkdirat),
    SCMP_SYS(unlink),
    SCMP_SYS(unlinkat),
    SCMP_SYS(rename),
    SCMP_SYS(renameat),
    SCMP_SYS(renameat2),
    SCMP_SYS(link),
    SCMP_SYS(linkat),
    SCMP_SYS(symlink),
    SCMP_SYS(symlinkat),
    SCMP_SYS(truncate),
    SCMP_SYS(chmod),
    SCMP_SYS(fchmodat),
    SCMP_SYS(chown),
    SCMP_SYS(fchownat),
    SCMP_SYS(open_by_handle_at),
    SCMP_SYS(memfd_create),
    // namespaces, mounts, roots
    SCMP_SYS(unshare),
    SCMP_SYS(setns),
    SCMP_SYS(mount),
    SCMP_SYS(umount2),
    SCMP_SYS(pivot_root),
    SCMP_SYS(chroot),
    SCMP_SYS(move_mount),
    SCMP_SYS(open_tree),
    SCMP_SYS(fsopen),
    SCMP_SYS(fsconfig),
    SCMP_SYS(fsmount),
    SCMP_SYS(fspick),
    SCMP_SYS(mount_setattr),
    // the kernel itself
    SCMP_SYS(bpf),
    SCMP_SYS(perf_event_open),
    SCMP_SYS(userfaultfd),
    SCMP_SYS(init_module),
    SCMP_SYS(finit_module),
    SCMP_SYS(delete_module),
    SCMP_SYS(kexec_load),
    SCMP_SYS(kexec_file_load),
    SCMP_SYS(reboot),
    SCMP_SYS(swapon),
    SCMP_SYS(swapoff),
    SCMP_SYS(add_key),
    SCMP_SYS(request_key),
    SCMP_SYS(keyctl),
    SCMP_SYS(io_uring_setup),
};

// Their arguments are behind a pointer, where a filter cannot look; the C library has an older way.
constexpr std::array kUnknown = {SCMP_SYS(clone3), SCMP_SYS(openat2)};

constexpr std::array<scmp_datum_t, 8> kNamespaceFlags = {CLONE_NEWNS,   CLONE_NEWCGROUP, CLONE_NEWUTS, CLONE_NEWIPC,
                                                         CLONE_NEWUSER, CLONE_NEWPID,    CLONE_NEWNET, CLONE_NEWTIME};

Result<void> done_or_error(int result, char const* what) {
  if (result == 0) return Result<void>();
  return Error::os(-result, std::string("seccomp: ") + what);
}

Result<void> refuse_calls(scmp_filter_ctx filter, int const* begin, int const* end, int error) {
  for (auto const* call = begin; call != end; ++call) {
    int const result = ::seccomp_rule_add(filter, SCMP_ACT_ERRNO(static_cast<unsigned>(error)), *call, 0);
    if (result != 0 && result != -EDOM) return done_or_error(result, "rule");  // EDOM: not a call of this architecture
  }
  return Result<void>();
}

Result<void> refuse_namespaces(scmp_filter_ctx filter) {
  for (auto const flag : kNamespaceFlags) {
    int const result =
        ::seccomp_rule_add(filter, SCMP_ACT_ERRNO(EPERM), SCMP_SYS(clone), 1, SCMP_A0(SCMP_CMP_MASKED_EQ, flag, flag));
    if (result != 0) return done_or_error(result, "clone");
  }
  return Result<void>();
}

/// Families are numbered: everything below AF_INET, between it and AF_INET6, and above.
Result<void> refuse_families(scmp_filter_ctx filter) {
  static_assert(AF_INET < AF_INET6);
  auto const refused = SCMP_ACT_ERRNO(EAFNOSUPPORT);
  int result = ::seccomp_rule_add(filter, refused, SCMP_SYS(socket), 1, SCMP_A0(SCMP_CMP_LT, AF_INET));
  if (result == 0) result = ::seccomp_rule_add(filter, refused, SCMP_SYS(socket), 1, SCMP_A0(SCMP_CMP_GT, AF_INET6));
  for (scmp_datum_t family = AF_INET + 1; result == 0 && family < AF_INET6; ++family) {
    result = ::seccomp_rule_add(filter, refused, SCMP_SYS(socket), 1, SCMP_A0(SCMP_CMP_EQ, family));
  }
  return done_or_error(result, "socket");
}

}  // namespace

Result<std::vector<std::uint64_t>> build_gateway_filter() {
  scmp_filter_ctx const filter = ::seccomp_init(SCMP_ACT_ALLOW);
  if (filter == nullptr) return Error{Code::os, ENOMEM, "seccomp: no filter"};
  Defer const release([&] { ::seccomp_release(filter); });
  if (auto r = refuse_calls(filter, kRefused.begin(), kRefused.end(), EPERM); !r) return r.error();
  if (auto r = refuse_calls(filter, kUnknown.begin(), kUnknown.end(), ENOSYS); !r) return r.error();
  if (auto r = refuse_namespaces(filter); !r) return r.error();
  if (auto r = refuse_families(filter); !r) return r.error();
  return export_program(filter);
}

}  // namespace sallyport::proxy
