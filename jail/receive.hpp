#pragma once
// Receiving what the child reports, with descriptors. Parent side.

#include "base/result.hpp"
#include "base/unique_fd.hpp"
#include "jail/step_error.hpp"

#include <chrono>
#include <vector>

namespace sallyport::jail {

struct Received {
  Report report;
  std::vector<UniqueFd> fds;  // close-on-exec
};

/// One report. Code::limit after `deadline`, Code::closed when the other side is gone.
Result<Received> receive_report(int socket_fd, std::chrono::milliseconds deadline);

}  // namespace sallyport::jail
