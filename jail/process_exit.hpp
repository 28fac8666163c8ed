#pragma once
// How a process that is not our child ended. Source: pidfd_open(2); uapi linux/pidfd.h, PIDFD_GET_INFO (Linux 6.15).

#include "base/unique_fd.hpp"

#include <optional>

namespace sallyport::jail {

enum class ExitKnowledge {
  known,        // `status` is as waitpid(2) gives it
  not_reaped,   // its parent has not waited for it: ask again when the pidfd hangs up
  unavailable,  // this kernel does not tell
};
struct ExitInfo {
  ExitKnowledge knowledge = ExitKnowledge::unavailable;
  int status = 0;
};
ExitInfo exit_info(UniqueFd const& pidfd);

}  // namespace sallyport::jail
