#include "jail/prepared_mounts.hpp"

#include <fcntl.h>
#include <linux/mount.h>
#include <sched.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <fstream>

namespace sallyport::jail {
namespace {

Result<UniqueFd> open_bind(std::string const& source) {
  auto constexpr kFlags = OPEN_TREE_CLONE | OPEN_TREE_CLOEXEC | AT_RECURSIVE | AT_NO_AUTOMOUNT;
  return UniqueFd::adopt(static_cast<int>(::syscall(SYS_open_tree, AT_FDCWD, source.c_str(), kFlags)), "open_tree " + source);
}

Result<void> write_map(pid_t pid, char const* name, unsigned to) {
  std::string const path = "/proc/" + std::to_string(pid) + "/" + name;
  std::ofstream file(path);
  file << "0 " << to << " 1" << std::flush;
  if (!file) return Error::os(errno, "writing " + path);
  return {};
}

Result<UniqueFd> map_and_open(pid_t pid, Identity const& identity) {
  if (auto done = write_map(pid, "uid_map", identity.uid); !done) return done.error();
  if (auto done = write_map(pid, "gid_map", identity.gid); !done) return done.error();
  std::string const path = "/proc/" + std::to_string(pid) + "/ns/user";
  return UniqueFd::adopt(::open(path.c_str(), O_RDONLY | O_CLOEXEC), "open " + path);
}

/// A user namespace in which id 0 is the jail's user. A short-lived process holds it until it is open.
Result<UniqueFd> root_to_jail_map(Identity const& identity) {
  long const pid = ::syscall(SYS_clone, CLONE_NEWUSER | SIGCHLD, nullptr, nullptr, nullptr, nullptr);
  if (pid < 0) return Error::os(errno, "clone for the workspace's id map");
  if (pid == 0) {
    for (;;) ::pause();
  }
  auto opened = map_and_open(static_cast<pid_t>(pid), identity);
  ::kill(static_cast<pid_t>(pid), SIGKILL);
  ::waitpid(static_cast<pid_t>(pid), nullptr, 0);
  return opened;
}

Result<void> map_ids(UniqueFd const& tree, Identity const& identity) {
  auto map = root_to_jail_map(identity);
  if (!map) return map.error();
  mount_attr attributes{};
  attributes.attr_set = MOUNT_ATTR_IDMAP;
  attributes.userns_fd = static_cast<std::uint64_t>(map->get());
  if (::syscall(SYS_mount_setattr, tree.get(), "", AT_EMPTY_PATH, &attributes, sizeof attributes) < 0) {
    Error error = Error::os(errno, "the workspace belongs to root, and its file system cannot map it to an unprivileged user");
    error.what += "; give the workspace to another user, or name one that may write there with --as USER";
    return error;
  }
  return {};
}

}  // namespace

Result<std::vector<UniqueFd>> prepare_mounts(Plan& plan, std::string const& workspace, Workspace ownership) {
  std::vector<UniqueFd> trees;
  for (auto& step : plan.mounts) {
    if (step.kind != MountStep::Kind::bind || !step.source.starts_with('/')) continue;
    auto tree = open_bind(step.source);
    if (!tree) return tree.error();
    if (ownership == Workspace::owned_by_root && step.source == workspace) {
      if (auto mapped = map_ids(*tree, plan.identity); !mapped) return mapped.error();
    }
    step.tree_fd = tree->get();
    trees.push_back(*std::move(tree));
  }
  return trees;
}

}  // namespace sallyport::jail
