#pragma once
// Children of a session that run code of ours, without an exec. REQUIRES: one thread.

#include "base/result.hpp"
#include "base/unique_fd.hpp"
#include "jail/plan.hpp"

#include <cerrno>
#include <sys/types.h>
#include <unistd.h>

namespace sallyport::cli {

/// A forked child and its pidfd.
struct ChildProcess {
  pid_t pid;
  UniqueFd life;
};

/// The pidfd of a child; close-on-exec.
Result<UniqueFd> life_of(pid_t child);

/// Forks. The child ends with the status that `body` returns.
template <class Body>
Result<ChildProcess> fork_child(Body const& body) {
  pid_t const pid = ::fork();
  if (pid < 0) return Error::os(errno, "fork");
  if (pid == 0) ::_exit(body());
  auto life = life_of(pid);
  if (!life) return life.error();
  return ChildProcess{pid, *std::move(life)};
}

/// Waits; the exit status, or kSignalBase and the signal that ended it.
int wait_for(pid_t child);

/// In a child: gives up groups and ids for good, unless the identity is the caller's.
Result<void> become(jail::Identity const& identity);

/// In a child: SIGKILL when `parent`, its creator, is gone. After become(), which would undo it.
Result<void> die_with(pid_t parent);

}  // namespace sallyport::cli
