#pragma once
// Identity and capabilities of the jailed processes. Async-signal-safe, allocates nothing; every function returns 0 or an errno.
// Sources: user_namespaces(7), capabilities(7).

#include "jail/child_input.hpp"

namespace sallyport::jail {

/// Maps the one uid and gid of this process into the user namespace it has just entered; setgroups(2) is denied for good.
int write_id_maps(ChildInput const& input) noexcept;
/// All three uids and gids become the mapped ones (root started us, and only the effective ones were set for the clone).
int settle_identity(ChildInput const& input) noexcept;
/// No nested user namespace can be made below the current one.
int forbid_user_namespaces() noexcept;
/// Empties the effective, permitted, inheritable, ambient and bounding sets.
int drop_capabilities() noexcept;
int set_no_new_privs() noexcept;

}  // namespace sallyport::jail
