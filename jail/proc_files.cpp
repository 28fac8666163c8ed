#include "jail/proc_files.hpp"

#include "base/defer.hpp"
#include "base/limits.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <filesystem>

namespace sallyport::jail {
namespace {

constexpr std::size_t kStatusBytes = 4096;
constexpr std::size_t kNameBytes = 64;
constexpr std::size_t kMaxProcesses = 64 * 1024;

/// The number behind "Name:\t".
template <class T>
std::optional<T> number_after(std::string_view text, std::string_view name) {
  auto const at = text.find(name);
  if (at == std::string_view::npos) return std::nullopt;
  auto const first = text.find_first_of("0123456789", at + name.size());
  if (first == std::string_view::npos) return std::nullopt;
  T value{};
  auto const [end, error] = std::from_chars(text.data() + first, text.data() + text.size(), value);
  if (error != std::errc{}) return std::nullopt;
  return value;
}

/// Of the files that /proc gives a piece at a time, each piece as large as what was asked for or the last (status, cmdline), or any
/// size (children).
enum class Pieces { full, any };

std::string read_to_end(int fd, std::size_t limit, Pieces pieces) {
  std::string out;
  char buffer[4096];
  while (out.size() < limit) {
    std::size_t const asked = std::min(sizeof buffer, limit - out.size());
    ssize_t const got = ::read(fd, buffer, asked);
    if (got <= 0) break;
    out.append(buffer, static_cast<std::size_t>(got));
    if (pieces == Pieces::full && static_cast<std::size_t>(got) < asked) break;
  }
  return out;
}

std::string read_path(std::string const& path, std::size_t limit) {
  auto fd = UniqueFd::adopt(::open(path.c_str(), O_RDONLY | O_CLOEXEC), path);
  return fd ? read_to_end(fd->get(), limit, Pieces::any) : "";
}

std::vector<pid_t> numbers(std::string_view text) {
  std::vector<pid_t> out;
  while (!text.empty()) {
    pid_t value = 0;
    auto const [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error == std::errc{}) out.push_back(value);
    auto const used = static_cast<std::size_t>(end - text.data());
    text.remove_prefix(std::min(text.size(), used + 1));
  }
  return out;
}

/// Children of all threads of `pid`.
std::vector<pid_t> children(pid_t pid) {
  std::vector<pid_t> out;
  std::error_code ec;
  std::string const tasks = "/proc/" + std::to_string(pid) + "/task";
  for (auto const& task : std::filesystem::directory_iterator(tasks, ec)) {
    auto const found = numbers(read_path(task.path().string() + "/children", kMaxProcesses * 8));
    out.insert(out.end(), found.begin(), found.end());
  }
  return out;
}

}  // namespace

Result<ProcDirectory> ProcDirectory::open(pid_t pid) {
  std::string const path = "/proc/" + std::to_string(pid);
  auto fd = UniqueFd::adopt(::open(path.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC), path);
  if (!fd) return fd.error();
  return ProcDirectory(*std::move(fd));
}

std::string ProcDirectory::link(char const* name) const {
  char target[limits::kMaxPathBytes];
  ssize_t const length = ::readlinkat(fd_.get(), name, target, sizeof target);
  return std::string(target, length > 0 ? static_cast<std::size_t>(length) : 0);
}

std::string ProcDirectory::file(char const* name, std::size_t limit) const {
  auto fd = UniqueFd::adopt(::openat(fd_.get(), name, O_RDONLY | O_CLOEXEC), name);
  return fd ? read_to_end(fd->get(), limit, Pieces::full) : "";
}

std::string ProcDirectory::exe() const { return link("exe"); }
std::string ProcDirectory::cwd() const { return link("cwd"); }

std::string ProcDirectory::name() const {
  std::string const text = file("comm", kNameBytes);
  return text.substr(0, text.find('\n'));
}

std::vector<std::string> ProcDirectory::argv() const {
  std::string const text = file("cmdline", limits::kMaxArgvBytes);
  std::vector<std::string> out;
  for (std::size_t at = 0; at < text.size();) {
    auto const end = std::min(text.find('\0', at), text.size());
    out.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return out;
}

std::optional<ProcDirectory::Status> ProcDirectory::status() const {
  std::string const text = file("status", kStatusBytes);
  auto const tgid = number_after<pid_t>(text, "\nTgid:");
  auto const ppid = number_after<pid_t>(text, "\nPPid:");
  auto const uid = number_after<uid_t>(text, "\nUid:");
  if (!tgid || !ppid || !uid) return std::nullopt;
  return Status{*tgid, *ppid, *uid};
}

std::optional<struct stat> ProcDirectory::exe_file() const {
  struct stat info{};
  if (::fstatat(fd_.get(), "exe", &info, 0) < 0) return std::nullopt;
  return info;
}

Result<UniqueFd> ProcDirectory::root() const {
  return UniqueFd::adopt(::openat(fd_.get(), "root", O_PATH | O_DIRECTORY | O_CLOEXEC), "root of a jailed process");
}

Result<UniqueFd> ProcDirectory::open_path(char const* name) const {
  return UniqueFd::adopt(::openat(fd_.get(), name, O_PATH | O_CLOEXEC), name);
}

bool ProcDirectory::has_socket(std::uint64_t inode) const {
  auto fd = UniqueFd::adopt(::openat(fd_.get(), "fd", O_RDONLY | O_DIRECTORY | O_CLOEXEC), "fd");
  if (!fd) return false;
  int const number = std::move(*fd).release();
  DIR* const directory = ::fdopendir(number);
  if (directory == nullptr) {
    ::close(number);
    return false;
  }
  Defer const close_directory([directory] { ::closedir(directory); });
  std::string const wanted = "socket:[" + std::to_string(inode) + "]";
  while (dirent const* entry = ::readdir(directory)) {
    char target[64];
    ssize_t const length = ::readlinkat(number, entry->d_name, target, sizeof target);
    if (length > 0 && wanted == std::string_view(target, static_cast<std::size_t>(length))) return true;
  }
  return false;
}

std::vector<pid_t> process_tree(pid_t first) {
  std::vector<pid_t> out{first};
  for (std::size_t i = 0; i < out.size() && out.size() < kMaxProcesses; ++i) {
    auto const below = children(out[i]);
    out.insert(out.end(), below.begin(), below.end());
  }
  return out;
}

}  // namespace sallyport::jail
