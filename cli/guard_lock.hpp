#pragma once
// One guard a container: a lock file that only root can take, released by the kernel when its holder dies. One thread.

#include "base/result.hpp"
#include "base/unique_fd.hpp"

#include <optional>
#include <string>

namespace sallyport::cli {

inline constexpr char kGuardLock[] = "/run/sallyport-guard.lock";

/// The lock, or nothing when a guard with the same `policy_digest` holds it. Error if it holds another policy.
Result<std::optional<UniqueFd>> take_guard_lock(std::string const& path, std::string const& policy_digest);

}  // namespace sallyport::cli
