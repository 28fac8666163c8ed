#pragma once
// Asks a `sallyport proxy` of this user to reload its policy: SIGHUP, to that process and no other. Source: pidfd_open(2).
// Any thread.

#include "base/result.hpp"

#include <sys/types.h>

namespace sallyport::cli {

/// An error when `pid` is not a `sallyport proxy`, or not ours to ask. Does not wait: whether the policy was taken stands
/// in the proxy's output and in its audit log.
Result<void> ask_for_reload(pid_t pid);

}  // namespace sallyport::cli
