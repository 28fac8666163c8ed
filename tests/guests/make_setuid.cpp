// make_setuid WAY FILE: tries to leave a set-user-ID file behind, in each way the kernel knows. Having one is the escape.

#include "tests/guests/guest.hpp"

#include <fcntl.h>
#include <linux/openat2.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

using namespace sallyport::guests;

namespace {

constexpr mode_t kMode = 04755;

int plain_file(char const* path) { return ::open(path, O_CREAT | O_RDWR | O_CLOEXEC, 0755); }

long by_chmod(char const* path) {
  plain_file(path);
  return ::syscall(SYS_chmod, path, kMode);
}
long by_fchmod(char const* path) { return ::syscall(SYS_fchmod, plain_file(path), kMode); }
long by_fchmodat(char const* path) {
  plain_file(path);
  return ::syscall(SYS_fchmodat, AT_FDCWD, path, kMode);
}
long by_fchmodat2(char const* path) {
  plain_file(path);
  return ::syscall(452 /* SYS_fchmodat2 */, AT_FDCWD, path, kMode, 0);
}
long by_setgid(char const* path) {
  plain_file(path);
  return ::syscall(SYS_chmod, path, 02755);
}
long by_creat(char const* path) { return ::syscall(SYS_creat, path, kMode); }
long by_open(char const* path) { return ::syscall(SYS_open, path, O_CREAT | O_WRONLY, kMode); }
long by_openat(char const* path) { return ::syscall(SYS_openat, AT_FDCWD, path, O_CREAT | O_WRONLY, kMode); }
long by_openat2(char const* path) {
  open_how how{};
  how.flags = O_CREAT | O_WRONLY;
  how.mode = kMode;
  return ::syscall(SYS_openat2, AT_FDCWD, path, &how, sizeof how);
}
long by_mknod(char const* path) { return ::syscall(SYS_mknod, path, S_IFREG | kMode, 0); }
long by_mknodat(char const* path) { return ::syscall(SYS_mknodat, AT_FDCWD, path, S_IFREG | kMode, 0); }

struct Way {
  char const* name;
  long (*make)(char const*);
};
constexpr Way kWays[] = {
    {"chmod", by_chmod},     {"fchmod", by_fchmod}, {"fchmodat", by_fchmodat}, {"fchmodat2", by_fchmodat2},
    {"setgid", by_setgid},   {"creat", by_creat},   {"open", by_open},         {"openat", by_openat},
    {"openat2", by_openat2}, {"mknod", by_mknod},   {"mknodat", by_mknodat},
};

[[noreturn]] void try_it(Way const& way, char const* path) {
  ::umask(0);
  long const result = way.make(path);
  int const error = errno;
  struct stat status {};
  if (::stat(path, &status) == 0 && (status.st_mode & (S_ISUID | S_ISGID)) != 0) escaped(way.name);
  if (result < 0) refused(error);
  refused_as("BIT_CLEARED");
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) usage("make_setuid WAY FILE");
  for (auto const& way : kWays) {
    if (std::strcmp(way.name, argv[1]) == 0) try_it(way, argv[2]);
  }
  usage("make_setuid WAY FILE: no such way");
}
