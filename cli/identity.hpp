#pragma once
// As whom the jail runs. Reads the user database and the workspace's owner.

#include "base/result.hpp"
#include "jail/plan.hpp"
#include "jail/prepared_mounts.hpp"

#include <string>

namespace sallyport::cli {

/// For a workspace of root's: an unprivileged user that no account has (systemd's UIDS-GIDS.md: 60578-61183 are unused).
inline constexpr unsigned kNobodysUser = 61000;

struct Choice {
  jail::Identity identity;
  jail::Workspace workspace = jail::Workspace::as_it_is;
};

/// An ordinary caller stays who it is. For root: `as` (a name or uid), else the owner of the workspace, else kNobodysUser with the
/// workspace shown as its own. Never uid 0: asking for it is an error, and so is --as from an ordinary user.
Result<Choice> choose_identity(std::string const& workspace, std::string const& as);

/// Whom the gateway runs as where there is no jail: an ordinary caller's as that user, root's as kNobodysUser.
jail::Identity gateway_identity();

}  // namespace sallyport::cli
