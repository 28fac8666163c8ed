#include "jail/privileges.hpp"

#include <fcntl.h>
#include <linux/capability.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace sallyport::jail {
namespace {

int write_file(char const* path, char const* text) noexcept {
  int const fd = ::open(path, O_WRONLY | O_CLOEXEC);
  if (fd < 0) return errno;
  auto const length = static_cast<ssize_t>(std::strlen(text));
  int const error = ::write(fd, text, static_cast<std::size_t>(length)) == length ? 0 : errno;
  ::close(fd);
  return error;
}

}  // namespace

int write_id_maps(ChildInput const& input) noexcept {
  // A change of user makes a process undumpable, and then /proc/self belongs to root.
  if (input.plan.identity.changed && ::prctl(PR_SET_DUMPABLE, 1, 0, 0, 0) < 0) return errno;
  if (int error = write_file("/proc/self/setgroups", "deny")) return error;
  if (int error = write_file("/proc/self/uid_map", input.uid_map)) return error;
  return write_file("/proc/self/gid_map", input.gid_map);
}

int settle_identity(ChildInput const& input) noexcept {
  Identity const& identity = input.plan.identity;
  if (!identity.changed) return 0;
  if (::setresgid(identity.gid, identity.gid, identity.gid) < 0) return errno;
  return ::setresuid(identity.uid, identity.uid, identity.uid) < 0 ? errno : 0;
}

int forbid_user_namespaces() noexcept { return write_file("/proc/sys/user/max_user_namespaces", "0"); }

int drop_capabilities() noexcept {
  if (::prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0) < 0) return errno;
  for (int capability = 0; ::prctl(PR_CAPBSET_READ, capability, 0, 0, 0) >= 0; ++capability) {
    if (::prctl(PR_CAPBSET_DROP, capability, 0, 0, 0) < 0) return errno;
  }
  __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
  __user_cap_data_struct const none[_LINUX_CAPABILITY_U32S_3]{};
  return ::syscall(SYS_capset, &header, none) < 0 ? errno : 0;
}

int set_no_new_privs() noexcept { return ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0 ? errno : 0; }

}  // namespace sallyport::jail
