#include "cli/child_process.hpp"

#include "cli/exit_status.hpp"

#include <grp.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>

namespace sallyport::cli {

Result<UniqueFd> life_of(pid_t child) { return UniqueFd::adopt(static_cast<int>(::syscall(SYS_pidfd_open, child, 0)), "pidfd"); }

int wait_for(pid_t child) {
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
  return WIFSIGNALED(status) ? kSignalBase + WTERMSIG(status) : WEXITSTATUS(status);
}

Result<void> become(jail::Identity const& identity) {
  if (!identity.changed) return {};
  if (::setgroups(0, nullptr) < 0 || ::setresgid(identity.gid, identity.gid, identity.gid) < 0 ||
      ::setresuid(identity.uid, identity.uid, identity.uid) < 0)
    return Error::os(errno, "becoming uid " + std::to_string(identity.uid));
  return {};
}

Result<void> die_with(pid_t parent) {
  if (::prctl(PR_SET_PDEATHSIG, SIGKILL) < 0) return Error::os(errno, "parent-death signal");
  if (::getppid() != parent) return Error{Code::closed, 0, "the supervisor is gone"};
  return {};
}

}  // namespace sallyport::cli
