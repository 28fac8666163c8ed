#pragma once
// What a stopped process asks of execve(2) or execveat(2), read from its memory while it waits for our answer. The memory is hostile and
// another thread may change it after we looked: see CommandRecorder for the confirmation. Source: seccomp_unotify(2).

#include "base/result.hpp"
#include "jail/proc_files.hpp"

#include <linux/seccomp.h>
#include <optional>
#include <string>
#include <vector>

namespace sallyport::jail {

/// Identity of a file.
struct FileId {
  std::uint64_t device = 0;
  std::uint64_t inode = 0;
  bool operator==(FileId const&) const = default;
};

/// What the process will look like after a successful exec.
struct Expectation {
  FileId file;                      // of the program the kernel loads: the interpreter, for a script
  std::vector<std::string> argv;    // with the interpreter's in front, for a script
};

struct ExecRequest {
  std::string path;                 // as asked for
  std::string exe;                  // where it leads inside the jail; as asked for when it leads nowhere
  std::vector<std::string> argv;
  bool argv_cut = false;            // longer than limits::kMaxArgvBytes
  std::string cwd;
  std::optional<Expectation> expected;  // nothing when the file could not be found from outside
  bool missing = false;                 // there is no such file, or it may not be reached: the exec should fail
};

/// Code::closed when the process is gone.
Result<ExecRequest> read_exec_request(seccomp_notif const& notification, ProcDirectory const& process);

}  // namespace sallyport::jail
