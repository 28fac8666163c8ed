#include "proxy/confine.hpp"

#include "proxy/gateway_program.hpp"
#include "proxy/landlock.hpp"

#include <linux/capability.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cerrno>

namespace sallyport::proxy {
namespace {

Result<void> set(int option, unsigned long value, char const* what) {
  if (::prctl(option, value, 0, 0, 0) != 0) return Error::os(errno, what);
  return Result<void>();
}

/// Only a process with CAP_SETPCAP may shrink the bounding set; with no_new_privs and nothing to execute it has no effect.
void shrink_bounding_set() {
  for (unsigned long capability = 0; ::prctl(PR_CAPBSET_DROP, capability, 0, 0, 0) == 0; ++capability) {}
}

Result<void> drop_capabilities() {
  shrink_bounding_set();
  if (auto cleared = set(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, "ambient capabilities"); !cleared) return cleared;
  __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
  std::array<__user_cap_data_struct, _LINUX_CAPABILITY_U32S_3> none{};
  if (::syscall(SYS_capset, &header, none.data()) != 0) return Error::os(errno, "capset");
  return Result<void>();
}

Result<void> forbid_core_files() {
  rlimit const none{0, 0};
  if (::setrlimit(RLIMIT_CORE, &none) != 0) return Error::os(errno, "RLIMIT_CORE");
  return Result<void>();
}

}  // namespace

Result<void> load_gateway_filter() {
  auto const instructions = gateway_program();
  // SAFETY: the kernel reads `len` 8-byte instructions and changes none of them.
  sock_fprog program{static_cast<unsigned short>(instructions.size()),
                     reinterpret_cast<sock_filter*>(const_cast<std::uint64_t*>(instructions.data()))};
  if (::syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program) != 0) return Error::os(errno, "seccomp");
  return Result<void>();
}

Result<void> confine() {
  if (auto done = set(PR_SET_NO_NEW_PRIVS, 1, "no_new_privs"); !done) return done;
  if (auto done = drop_capabilities(); !done) return done;
  if (auto done = set(PR_SET_DUMPABLE, 0, "not dumpable"); !done) return done;
  if (auto done = forbid_core_files(); !done) return done;
  if (auto done = give_up_files(); !done) return done;
  return load_gateway_filter();
}

}  // namespace sallyport::proxy
