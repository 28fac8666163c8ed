#pragma once
// Where audit logs and the signing key are kept, and how sessions are named. Looks at the environment and the file system;
// any thread that does not change the environment.

#include "base/clock.hpp"
#include "base/result.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace sallyport::audit {

struct Places {
  std::string log_dir;  // SESSION.jsonl files
  std::string key_dir;  // audit.key
};

/// Of the effective user: /var/log/sallyport and /var/lib/sallyport for root, else sallyport/audit and sallyport below
/// $XDG_STATE_HOME or ~/.local/state (XDG Base Directory Specification), also for root of a user namespace to whom the system's /var does not
/// belong. Error::invalid if the user has no home.
Result<Places> default_places();
/// The same for an ordinary user with these variables. A relative state_home is ignored, as the specification asks.
Result<Places> places_below(std::string_view home, std::string_view state_home);

/// "20261127T235959Z-5f0c21ab": sorts by time, and is new even for two sessions that start in the same second.
Result<std::string> new_session_id(Clock const& clock);

std::string log_path(std::string const& log_dir, std::string_view session);

/// Paths of the logs in a directory, oldest first; none if there is no such directory.
Result<std::vector<std::string>> list_logs(std::string const& log_dir);

}  // namespace sallyport::audit
