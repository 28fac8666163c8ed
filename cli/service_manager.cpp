#include "cli/service_manager.hpp"

#include <fcntl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>

namespace sallyport::cli {
namespace {

constexpr int kFirstInherited = 3;  // SD_LISTEN_FDS_START
constexpr std::uint64_t kMaxInherited = 64;

std::string variable(char const* name) {
  char const* value = std::getenv(name);
  return value != nullptr ? value : "";
}

std::optional<std::uint64_t> number_in(char const* name) {
  auto const text = variable(name);
  std::uint64_t number = 0;
  auto const [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (text.empty() || error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return number;
}

/// "a:b:c"; a name that is missing is empty.
std::vector<std::string> split_names(std::string const& text, std::size_t count) {
  std::vector<std::string> names(count);
  std::size_t from = 0;
  for (auto& name : names) {
    auto const to = std::min(text.find(':', from), text.size());
    name = text.substr(std::min(from, text.size()), to - std::min(from, text.size()));
    from = to + 1;
  }
  return names;
}

bool is_for_us(char const* pid_variable) { return number_in(pid_variable) == static_cast<std::uint64_t>(::getpid()); }

}  // namespace

Result<std::vector<InheritedSocket>> take_inherited_sockets() {
  std::vector<InheritedSocket> sockets;
  auto const count = number_in("LISTEN_FDS");
  bool const ours = count && is_for_us("LISTEN_PID");
  auto const names = split_names(variable("LISTEN_FDNAMES"), ours && *count <= kMaxInherited ? *count : 0);
  for (char const* name : {"LISTEN_FDS", "LISTEN_PID", "LISTEN_FDNAMES"}) ::unsetenv(name);
  if (!ours) return sockets;
  if (*count > kMaxInherited)
    return Error{Code::invalid, 0, "LISTEN_FDS: more than " + std::to_string(kMaxInherited) + " sockets"};
  for (std::size_t i = 0; i < names.size(); ++i) {
    int const fd = kFirstInherited + static_cast<int>(i);
    if (::fcntl(fd, F_SETFD, FD_CLOEXEC) < 0 || ::fcntl(fd, F_SETFL, O_NONBLOCK) < 0)
      return Error::os(errno, "socket from LISTEN_FDS");
    auto adopted = UniqueFd::adopt(fd, "socket from LISTEN_FDS");
    if (!adopted) return adopted.error();
    sockets.push_back({names[i], *std::move(adopted)});
  }
  return sockets;
}

ServiceManager ServiceManager::from_environment() {
  ServiceManager manager;
  manager.address_ = variable("NOTIFY_SOCKET");
  auto const microseconds = number_in("WATCHDOG_USEC");
  bool const ours = variable("WATCHDOG_PID").empty() || is_for_us("WATCHDOG_PID");
  if (microseconds && ours && *microseconds > 0)
    manager.watchdog_interval_ = std::chrono::milliseconds(static_cast<std::int64_t>(*microseconds / 2000));
  return manager;
}

void ServiceManager::ready(std::string_view status) const { notify("READY=1\nSTATUS=" + std::string(status)); }
void ServiceManager::stopping() const { notify("STOPPING=1"); }
void ServiceManager::alive() const { notify("WATCHDOG=1"); }

/// A manager that cannot be told decides for itself what that means.
void ServiceManager::notify(std::string const& state) const {
  sockaddr_un to{};
  if (address_.empty() || address_.size() >= sizeof to.sun_path) return;
  to.sun_family = AF_UNIX;
  std::memcpy(to.sun_path, address_.data(), address_.size());
  if (address_.front() == '@') to.sun_path[0] = '\0';
  auto const size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + address_.size());
  auto const fd = UniqueFd::adopt(::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0), "socket");
  if (fd) ::sendto(fd->get(), state.data(), state.size(), MSG_NOSIGNAL, reinterpret_cast<sockaddr const*>(&to), size);
}

}  // namespace sallyport::cli
