#pragma once
// The jail's own root file system. Runs in the child between clone and exec: async-signal-safe, allocates nothing.
// Every function returns 0 or an errno. Source: mount_namespaces(7), mount_setattr(2), pivot_root(2).

#include "jail/plan.hpp"

#include <cstdint>

namespace sallyport::jail {

/// Nothing that is mounted here from now on is seen by the host, and the other way round.
int make_mounts_private() noexcept;
/// A tmpfs to build on; it becomes the working directory.
int begin_new_root() noexcept;
/// Carries out the plan's mount steps; `failed` is the index of the one that failed.
int apply_mounts(Plan const& plan, std::int32_t& failed) noexcept;
/// Makes the tmpfs the root, lets go of the host's, and makes the top level read-only.
int enter_new_root() noexcept;

}  // namespace sallyport::jail
