#include "jail/attach_target.hpp"

#include <fcntl.h>
#include <linux/capability.h>
#include <linux/nsfs.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cstdint>
#include <filesystem>
#include <fstream>

namespace sallyport::jail {
namespace {

constexpr std::uint64_t kNetAdmin = std::uint64_t{1} << CAP_NET_ADMIN;
constexpr int kMaxAncestors = 32;  // user namespaces nest 32 deep (user_namespaces(7))

std::string proc(pid_t pid, char const* name) { return "/proc/" + std::to_string(pid) + "/" + name; }

std::optional<NamespaceId> id_of(int fd) {
  struct stat info{};
  if (::fstat(fd, &info) < 0) return std::nullopt;
  return NamespaceId{info.st_dev, info.st_ino};
}

Result<AttachTarget> from(UniqueFd network, std::string const& what) {
  auto owner = UniqueFd::adopt(::ioctl(network.get(), NS_GET_USERNS), what + " is not a namespace we have power over");
  if (!owner) return owner.error();
  if (::ioctl(network.get(), NS_GET_NSTYPE) != CLONE_NEWNET) return Error{Code::invalid, 0, what + " is not a network namespace"};
  auto const id = id_of(network.get());
  if (!id) return Error::os(errno, what);
  if (id == namespace_id("/proc/self/ns/net") || id == namespace_id("/proc/1/ns/net"))
    return Error{Code::invalid, 0, what + " uses this machine's own network; start the container with --network none"};
  return AttachTarget{std::move(network), *std::move(owner), *id, {}, {}};
}

Result<UniqueFd> open_file(std::string const& path) {
  return UniqueFd::adopt(::open(path.c_str(), O_RDONLY | O_CLOEXEC), "'" + path + "'");
}

/// All capability sets of a process together.
std::uint64_t capabilities_of(pid_t pid) {
  std::ifstream status(proc(pid, "status"));
  std::uint64_t all = 0;
  for (std::string line; std::getline(status, line);) {
    if (!line.starts_with("Cap")) continue;
    auto const digits = line.find_first_not_of(" \t", line.find(':') + 1);
    std::uint64_t set = 0;
    if (digits != std::string::npos) std::from_chars(line.data() + digits, line.data() + line.size(), set, 16);
    all |= set;
  }
  return all;
}

/// Whether `owner` is the process's user namespace or one below it: its capabilities count there.
bool rules_over(pid_t pid, UniqueFd const& owner) {
  auto const own = namespace_id(proc(pid, "ns/user"));
  if (!own) return false;
  auto current = UniqueFd::adopt(::fcntl(owner.get(), F_DUPFD_CLOEXEC, 3), "user namespace");
  for (int i = 0; current && i < kMaxAncestors; ++i) {
    if (id_of(current->get()) == own) return true;
    current = UniqueFd::adopt(::ioctl(current->get(), NS_GET_PARENT), "parent");
  }
  return false;
}

}  // namespace

std::optional<NamespaceId> namespace_id(std::string const& path) {
  struct stat info{};
  if (::stat(path.c_str(), &info) < 0) return std::nullopt;
  return NamespaceId{info.st_dev, info.st_ino};
}

std::vector<pid_t> processes_in(NamespaceId network) {
  std::vector<pid_t> out;
  std::error_code ec;
  for (auto const& entry : std::filesystem::directory_iterator("/proc", ec)) {
    auto const name = entry.path().filename().string();
    pid_t pid = 0;
    auto const [end, error] = std::from_chars(name.data(), name.data() + name.size(), pid);
    if (error == std::errc{} && end == name.data() + name.size() && namespace_id(proc(pid, "ns/net")) == network) out.push_back(pid);
  }
  std::ranges::sort(out);
  return out;
}

Result<AttachTarget> open_process(pid_t pid) {
  auto const what = "process " + std::to_string(pid);
  auto life = UniqueFd::adopt(static_cast<int>(::syscall(SYS_pidfd_open, pid, 0)), what);
  if (!life) return life.error();
  auto network = open_file(proc(pid, "ns/net"));
  if (!network) return network.error();
  if (::syscall(SYS_pidfd_send_signal, life->get(), 0, nullptr, 0) < 0) return Error::os(errno, what);  // it was this process all the time
  auto target = from(*std::move(network), what);
  if (!target) return target.error();
  target->pid = pid;
  target->life.emplace(*std::move(life));
  return target;
}

Result<AttachTarget> open_namespace(std::string const& path) {
  auto network = open_file(path);
  if (!network) return network.error();
  return from(*std::move(network), "'" + path + "'");
}

Result<void> check_powerless(AttachTarget const& target) {
  for (pid_t pid : processes_in(target.id)) {
    if ((capabilities_of(pid) & kNetAdmin) == 0 || !rules_over(pid, target.owner)) continue;
    std::string name;
    std::getline(std::ifstream(proc(pid, "comm")) >> std::ws, name);
    std::ranges::replace_if(name, [](char c) { return std::iscntrl(static_cast<unsigned char>(c)) != 0; }, '?');
    return Error{Code::denied, 0, "process " + std::to_string(pid) + " (" + name + ") of the container may change its network: start the "
                                  "container without the capability NET_ADMIN (--cap-drop NET_ADMIN, not --privileged)"};
  }
  return {};
}

}  // namespace sallyport::jail
