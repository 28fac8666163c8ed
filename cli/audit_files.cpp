#include "cli/audit_files.hpp"

#include "audit/places.hpp"

#include <algorithm>
#include <filesystem>
#include <utility>

namespace sallyport::cli {
namespace fs = std::filesystem;
namespace {

constexpr std::size_t kSecondBytes = sizeof "20261127T235959Z" - 1;  // of a log's name

}  // namespace

Result<std::string> newest_log(std::string const& log_dir) {
  auto logs = audit::list_logs(log_dir);
  if (!logs) return logs.error();
  if (logs->empty()) return Error{Code::invalid, 0, "no audit log in " + log_dir + ": name a file"};
  // Sessions that began in one second are told apart by which was written to last.
  auto const rank = [](std::string const& path) {
    std::error_code ignored;
    fs::path const file(path);
    return std::pair(file.filename().string().substr(0, kSecondBytes), fs::last_write_time(file, ignored));
  };
  return *std::max_element(logs->begin(), logs->end(), [&](auto const& a, auto const& b) { return rank(a) < rank(b); });
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
