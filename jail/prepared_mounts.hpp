#pragma once
// What only root can do for a jail that runs as another user: open the binds that this user could not reach, and show a workspace
// of root's as the jail's own. Parent side, before launch(). Source: mount_setattr(2), "ID-mapped mounts".

#include "base/result.hpp"
#include "base/unique_fd.hpp"
#include "jail/plan.hpp"

#include <string>
#include <vector>

namespace sallyport::jail {

/// Whose files a workspace shows as the jail's own.
enum class Workspace : bool { as_it_is, owned_by_root };

/// Sets tree_fd of every bind of a host path in `plan`. The descriptors live in the result and must outlive launch().
/// For Workspace::owned_by_root, files of uid and gid 0 below `workspace` belong to the jail's user inside, and files that the jail
/// makes belong to root outside; set-user-ID files cannot be made (jail/seccomp_filter).
/// REQUIRES: the caller is root.
Result<std::vector<UniqueFd>> prepare_mounts(Plan& plan, std::string const& workspace, Workspace ownership);

}  // namespace sallyport::jail
