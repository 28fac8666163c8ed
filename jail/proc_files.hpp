#pragma once
// What /proc says about a jailed process, read from outside. The processes are hostile: every value is bounded, and a process may
// end at any moment (an empty value then). Source: proc(5).

#include "base/result.hpp"
#include "base/unique_fd.hpp"

#include <optional>
#include <string>
#include <sys/stat.h>
#include <sys/types.h>
#include <vector>

namespace sallyport::jail {

/// A directory of /proc, held open: it goes on meaning the same process when the pid is used again.
class ProcDirectory {
 public:
  static Result<ProcDirectory> open(pid_t pid);

  /// Path of the executable, as the jail sees it.
  std::string exe() const;
  std::string cwd() const;
  /// The kernel's name of it, at most 15 bytes; there until the process is reaped, when all else is gone.
  std::string name() const;
  /// Arguments, up to limits::kMaxArgvBytes.
  std::vector<std::string> argv() const;
  struct Status {
    pid_t tgid = 0;  // the process that a thread belongs to
    pid_t ppid = 0;
    uid_t uid = 0;
  };
  std::optional<Status> status() const;
  /// Device and inode of the executable.
  std::optional<struct stat> exe_file() const;
  /// The root directory of the process: REQUIRES an owner of its user namespace.
  Result<UniqueFd> root() const;
  /// What a path below the process's directory leads to ("exe", "fd/3"), with O_PATH.
  Result<UniqueFd> open_path(char const* name) const;
  /// Whether one of its descriptors is the socket with this inode number.
  bool has_socket(std::uint64_t inode) const;

 private:
  explicit ProcDirectory(UniqueFd fd) : fd_(std::move(fd)) {}
  std::string link(char const* name) const;
  std::string file(char const* name, std::size_t limit) const;
  UniqueFd fd_;
};

/// `first` and all its descendants, parents before children.
std::vector<pid_t> process_tree(pid_t first);

}  // namespace sallyport::jail
