#include "cli/audit_files.hpp"

#include "audit/places.hpp"

#include <algorithm>
#include <filesystem>

namespace sallyport::cli {

Result<std::string> newest_log(std::string const& log_dir) {
  auto logs = audit::list_logs(log_dir);
  if (!logs) return logs.error();
  if (logs->empty()) return Error{Code::invalid, 0, "no audit log in " + log_dir + ": name a file"};
  return logs->back();
}

Result<std::string> log_of_session(std::string const& log_dir, std::string const& session) {
  auto logs = audit::list_logs(log_dir);
  if (!logs) return logs.error();
  auto const is_other = [&](std::string const& path) {
    return !std::filesystem::path(path).filename().string().starts_with(session);
  };
  std::erase_if(*logs, is_other);
  if (logs->empty()) return Error{Code::invalid, 0, "no session " + session + " in " + log_dir};
  if (logs->size() > 1) return Error{Code::invalid, 0, "more than one session begins with " + session};
  return logs->front();
}

}  // namespace sallyport::cli
