#pragma once
// passwd(5) and group(5) for a user that the host's files do not know. Reads /etc/passwd and /etc/group.

#include "jail/plan.hpp"

#include <optional>
#include <string>

namespace sallyport::jail {

/// The host's file and one line more; nothing when the host's file has this uid. Programs that ask for their user's name
/// (Node's os.userInfo, git) fail without a line.
std::optional<std::string> passwd_with(Identity const& identity, std::string const& home);
std::optional<std::string> group_with(Identity const& identity);

}  // namespace sallyport::jail
