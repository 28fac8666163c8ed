#include "tests/support/host_state.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <filesystem>
#include <fcntl.h>
#include <fstream>
#include <iterator>
#include <optional>
#include <sstream>
#include <thread>

namespace sallyport::test {

namespace {

namespace fs = std::filesystem;

/// What can be read: a process may end meanwhile.
std::string slurp(fs::path const& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

std::vector<pid_t> all_processes() {
  std::vector<pid_t> pids;
  for (auto const& entry : fs::directory_iterator("/proc")) {
    auto const name = entry.path().filename().string();
    pid_t pid = 0;
    auto const [end, error] = std::from_chars(name.data(), name.data() + name.size(), pid);
    if (error == std::errc{} && end == name.data() + name.size()) pids.push_back(pid);
  }
  return pids;
}

struct Stat {
  char state = 'X';
  pid_t parent = 0;
};
/// From /proc/PID/stat: what stands behind the name in parentheses, which may itself hold parentheses.
std::optional<Stat> stat_of(pid_t pid) {
  auto const text = slurp("/proc/" + std::to_string(pid) + "/stat");
  auto const name_end = text.rfind(") ");
  if (name_end == std::string::npos) return std::nullopt;
  Stat stat{text[name_end + 2], 0};
  std::from_chars(text.data() + name_end + 4, text.data() + text.size(), stat.parent);
  return stat;
}

constexpr std::array kNamespaces{"net", "mnt", "pid", "user"};

std::string namespace_path(pid_t pid, char const* kind) { return "/proc/" + std::to_string(pid) + "/ns/" + kind; }

}  // namespace

std::size_t open_fds() {
  auto const listing = fs::directory_iterator("/proc/self/fd");
  return static_cast<std::size_t>(std::distance(fs::begin(listing), fs::end(listing)));
}

std::vector<pid_t> processes_with_argument(std::string_view text) {
  auto pids = all_processes();
  std::erase_if(
      pids, [&](pid_t pid) { return slurp("/proc/" + std::to_string(pid) + "/cmdline").find(text) == std::string::npos; });
  return pids;
}

std::vector<pid_t> descendants(pid_t pid) {
  std::vector<pid_t> found{pid};
  auto const pids = all_processes();
  for (std::size_t i = 0; i < found.size(); ++i) {
    for (pid_t candidate : pids) {
      auto const stat = stat_of(candidate);
      if (stat && stat->parent == found[i]) found.push_back(candidate);
    }
  }
  found.erase(found.begin());
  return found;
}

bool alive(pid_t pid) {
  auto const stat = stat_of(pid);
  return stat && stat->state != 'Z' && stat->state != 'X';
}

std::set<std::string> namespaces() { return namespaces_of(all_processes()); }

std::set<std::string> namespaces_of(std::vector<pid_t> const& pids) {
  std::set<std::string> found;
  for (pid_t pid : pids) {
    if (!alive(pid)) continue;
    for (char const* kind : kNamespaces) {
      std::error_code gone_or_not_ours;
      auto const link = fs::read_symlink(namespace_path(pid, kind), gone_or_not_ours);
      if (!gone_or_not_ours) found.insert(link.string());
    }
  }
  return found;
}

std::map<std::string, UniqueFd> hold_namespaces_of(std::vector<pid_t> const& pids) {
  std::map<std::string, UniqueFd> held;
  for (pid_t pid : pids) {
    for (char const* kind : kNamespaces) {
      auto opened = UniqueFd::adopt(::open(namespace_path(pid, kind).c_str(), O_RDONLY | O_CLOEXEC), kind);
      if (!opened) continue;  // gone, or not ours
      auto name = fs::read_symlink("/proc/self/fd/" + std::to_string(opened->get())).string();
      held.emplace(std::move(name), *std::move(opened));
    }
  }
  return held;
}

std::set<std::string> mounts() {
  std::set<std::string> lines;
  std::ifstream table("/proc/self/mountinfo");
  for (std::string line; std::getline(table, line);) {
    bool const is_of_container_engines = line.find(" /var/lib/containers/") != std::string::npos;  // which tests run at the same time
    if (!is_of_container_engines) lines.insert(line);
  }
  return lines;
}

bool eventually(std::chrono::milliseconds timeout, std::function<bool()> holds) {
  auto const deadline = std::chrono::steady_clock::now() + timeout;
  while (!holds()) {
    if (std::chrono::steady_clock::now() > deadline) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(5));  // between two looks at state that nobody announces
  }
  return true;
}

}  // namespace sallyport::test
