#include "audit/places.hpp"

#include "audit/files.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <ctime>
#include <filesystem>

namespace sallyport::audit {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view kLogSuffix = ".jsonl";
constexpr std::size_t kSessionRandomBytes = 4;

std::string_view variable(char const* name) {
  auto const* value = std::getenv(name);
  return value == nullptr ? std::string_view() : std::string_view(value);
}

/// Not so where an ordinary user is root of a user namespace, as with the hook of a container engine without root: the system's directories
/// belong to nobody there.
bool is_root_of_the_system() {
  struct stat status {};
  return ::geteuid() == 0 && ::stat("/var", &status) == 0 && status.st_uid == 0;
}

}  // namespace

Result<Places> default_places() {
  if (is_root_of_the_system()) return Places{"/var/log/sallyport", "/var/lib/sallyport"};
  return places_below(variable("HOME"), variable("XDG_STATE_HOME"));
}

Result<Places> places_below(std::string_view home, std::string_view state_home) {
  std::string base(state_home);
  if (!base.starts_with('/')) {
    if (!home.starts_with('/'))
      return Error{Code::invalid, 0, "no place for the audit log: HOME is not set to a directory"};
    base = std::string(home) + "/.local/state";
  }
  return Places{base + "/sallyport/audit", base + "/sallyport"};
}

Result<std::string> new_session_id(Clock const& clock) {
  auto const random = random_hex(kSessionRandomBytes);
  if (!random) return random.error();
  std::time_t const now = std::chrono::system_clock::to_time_t(clock.wall_now());
  std::tm parts{};
  ::gmtime_r(&now, &parts);
  std::array<char, 32> text;
  std::strftime(text.data(), text.size(), "%Y%m%dT%H%M%SZ-", &parts);
  return text.data() + *random;
}

std::string log_path(std::string const& log_dir, std::string_view session) {
  return log_dir + '/' + std::string(session) + std::string(kLogSuffix);
}

Result<std::vector<std::string>> list_logs(std::string const& log_dir) {
  std::vector<std::string> paths;
  std::error_code ec;
  fs::directory_iterator entries(log_dir, ec);
  if (ec == std::errc::no_such_file_or_directory) return paths;
  for (; !ec && entries != fs::directory_iterator(); entries.increment(ec)) {
    if (entries->path().extension() == kLogSuffix) paths.push_back(entries->path().string());
  }
  if (ec) return Error::os(ec.value(), "list " + log_dir);
  std::sort(paths.begin(), paths.end());  // session ids sort by time
  return paths;
}

}  // namespace sallyport::audit
