#include "jail/mounts.hpp"

#include <fcntl.h>
#include <linux/mount.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

// glibc 2.36 has these, but its <sys/mount.h> collides with <linux/mount.h>.
extern "C" {
int mount(char const*, char const*, char const*, unsigned long, void const*) noexcept;
int umount2(char const*, int) noexcept;
}

namespace sallyport::jail {
namespace {

constexpr unsigned long kNoSuid = 2, kNoDev = 4, kNoExec = 8, kRec = 16384, kPrivate = 1 << 18;  // MS_* of mount(2)
constexpr int kDetach = 2;                                                                       // MNT_DETACH
// The new root is built on top of the host's /proc: no source of a bind is below it.
constexpr char kBuildPlace[] = "/proc";

int set_attributes(int tree_fd, std::uint64_t set) noexcept {
  mount_attr attributes{};
  attributes.attr_set = set;
  long const done = ::syscall(SYS_mount_setattr, tree_fd, "", AT_EMPTY_PATH | AT_RECURSIVE, &attributes, sizeof attributes);
  return done < 0 ? errno : 0;
}

int clone_tree(char const* source) noexcept {
  return static_cast<int>(
      ::syscall(SYS_open_tree, AT_FDCWD, source, OPEN_TREE_CLONE | OPEN_TREE_CLOEXEC | AT_RECURSIVE | AT_NO_AUTOMOUNT));
}

int attach(int tree_fd, char const* target) noexcept {
  return ::syscall(SYS_move_mount, tree_fd, "", AT_FDCWD, target, MOVE_MOUNT_F_EMPTY_PATH) < 0 ? errno : 0;
}

int bind(MountStep const& step, std::uint64_t attributes) noexcept {
  int const fd = step.tree_fd >= 0 ? step.tree_fd : clone_tree(step.source.c_str());
  if (fd < 0) return errno;
  int error = set_attributes(fd, attributes);
  if (error == 0) error = attach(fd, step.target.c_str());
  ::close(fd);
  return error;
}

int make_directory(char const* target) noexcept {
  if (::mkdir(target, 0755) == 0 || errno == EEXIST) return 0;
  int const error = errno;
  return ::access(target, F_OK) == 0 ? 0 : error;  // on a read-only bind it is there already, or it is an error
}

int write_all(int fd, std::string const& bytes) noexcept {
  ssize_t const written = ::write(fd, bytes.data(), bytes.size());
  return written == static_cast<ssize_t>(bytes.size()) ? 0 : (written < 0 ? errno : ENOSPC);
}

int copy_range(int to, FileRange const& range) noexcept {
  if (range.length == 0) return 0;
  int const from = ::open(range.path.c_str(), O_RDONLY | O_CLOEXEC);
  if (from < 0) return errno;
  off_t offset = static_cast<off_t>(range.offset);
  std::uint64_t left = range.length;
  int error = 0;
  while (left > 0 && error == 0) {
    ssize_t const copied = ::sendfile(to, from, &offset, left);
    if (copied <= 0) error = copied < 0 ? errno : ENODATA;  // the file became shorter
    if (copied > 0) left -= static_cast<std::uint64_t>(copied);
  }
  ::close(from);
  return error;
}

int make_file(MountStep const& step, mode_t mode) noexcept {
  int const fd = ::open(step.target.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, mode);
  if (fd < 0) return errno == EEXIST && step.content.empty() && step.tail.empty() ? 0 : errno;
  int error = write_all(fd, step.content);
  if (error == 0) error = copy_range(fd, step.copied);
  if (error == 0) error = write_all(fd, step.tail);
  ::close(fd);
  return error;
}

int make_symlink(MountStep const& step) noexcept {
  return ::symlink(step.source.c_str(), step.target.c_str()) < 0 && errno != EEXIST ? errno : 0;
}

int mount_tmpfs(MountStep const& step) noexcept {
  if (::mount("tmpfs", step.target.c_str(), "tmpfs", kNoSuid | kNoDev, nullptr) < 0) return errno;
  return ::chmod(step.target.c_str(), step.mode) < 0 ? errno : 0;
}

/// What is not visible need not be hidden.
int unless_absent(int error) noexcept { return error == ENOENT || error == ENOTDIR ? 0 : error; }

int hide_directory(MountStep const& step) noexcept {
  unsigned long constexpr kReadOnly = 1;
  unsigned long constexpr kFlags = kReadOnly | kNoSuid | kNoDev | kNoExec;
  return ::mount("tmpfs", step.target.c_str(), "tmpfs", kFlags, "mode=0555,size=4k") < 0 ? unless_absent(errno) : 0;
}

int mount_proc(MountStep const& step) noexcept {
  return ::mount("proc", step.target.c_str(), "proc", kNoSuid | kNoDev | kNoExec, nullptr) < 0 ? errno : 0;
}

int mount_devpts(MountStep const& step) noexcept {
  return ::mount("devpts", step.target.c_str(), "devpts", kNoSuid | kNoExec, "newinstance,ptmxmode=0666,mode=620") < 0 ? errno : 0;
}

int freeze(char const* target) noexcept {
  mount_attr attributes{};
  attributes.attr_set = MOUNT_ATTR_RDONLY;
  return ::syscall(SYS_mount_setattr, AT_FDCWD, target, 0, &attributes, sizeof attributes) < 0 ? errno : 0;
}

int apply(MountStep const& step) noexcept {
  using Kind = MountStep::Kind;
  constexpr std::uint64_t kHardened = MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV;
  switch (step.kind) {
    case Kind::directory: return make_directory(step.target.c_str());
    case Kind::file: return make_file(step, step.mode);
    case Kind::symlink: return make_symlink(step);
    case Kind::bind: return bind(step, step.access == Access::read_only ? kHardened | MOUNT_ATTR_RDONLY : kHardened);
    case Kind::device: return bind(step, MOUNT_ATTR_NOSUID | MOUNT_ATTR_NOEXEC);
    case Kind::tmpfs: return mount_tmpfs(step);
    case Kind::hide_directory: return hide_directory(step);
    case Kind::hide_file: return unless_absent(bind(step, kHardened | MOUNT_ATTR_RDONLY));
    case Kind::proc: return mount_proc(step);
    case Kind::devpts: return mount_devpts(step);
    case Kind::freeze: return freeze(step.target.c_str());
  }
  return EINVAL;
}

}  // namespace

int make_mounts_private() noexcept { return ::mount("none", "/", nullptr, kRec | kPrivate, nullptr) < 0 ? errno : 0; }

int begin_new_root() noexcept {
  if (::mount("tmpfs", kBuildPlace, "tmpfs", kNoSuid | kNoDev, "mode=0755") < 0) return errno;
  return ::chdir(kBuildPlace) < 0 ? errno : 0;
}

int apply_mounts(Plan const& plan, std::int32_t& failed) noexcept {
  for (std::size_t i = 0; i < plan.mounts.size(); ++i) {
    if (int error = apply(plan.mounts[i])) {
      failed = static_cast<std::int32_t>(i);
      return error;
    }
  }
  return 0;
}

int enter_new_root() noexcept {
  if (::syscall(SYS_pivot_root, ".", ".") < 0) return errno;  // the old root now lies over the new one
  if (::umount2(".", kDetach) < 0) return errno;
  return ::chdir("/") < 0 ? errno : freeze("/");
}

}  // namespace sallyport::jail
