#include "tests/jail/workplace.hpp"

#include "jail/receive.hpp"

#include <linux/seccomp.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <stdexcept>
#include <system_error>
#include <utility>

namespace sallyport::jail {
namespace fs = std::filesystem;
namespace {

constexpr std::chrono::milliseconds kPatience{20'000};

std::pair<UniqueFd, UniqueFd> socket_pair() {
  int ends[2];
  if (::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) < 0)
    throw std::system_error(errno, std::generic_category(), "socketpair");
  return {*UniqueFd::adopt(ends[0], "socketpair"), *UniqueFd::adopt(ends[1], "socketpair")};
}

Jail launch_or_throw(Plan const& plan, LaunchOptions options, UniqueFd sockets) {
  options.sockets_fd = sockets.get();
  auto jail = launch(plan, options);
  if (!jail) throw std::runtime_error(jail.error().what);
  return *std::move(jail);
}

/// One exec of the jail goes on.
void let_go_on(int listener) {
  seccomp_notif notification{};
  if (::ioctl(listener, SECCOMP_IOCTL_NOTIF_RECV, &notification) < 0) return;
  seccomp_notif_resp answer{};
  answer.id = notification.id;
  answer.flags = SECCOMP_USER_NOTIF_FLAG_CONTINUE;
  ::ioctl(listener, SECCOMP_IOCTL_NOTIF_SEND, &answer);
}

/// True at the end of the command.
bool take_report(int report_fd, Ran& out) {
  auto const received = receive_report(report_fd, kPatience);
  if (!received) throw std::runtime_error(received.error().what);
  if (received->report.kind == Report::Kind::exec_failed) out.exec_error = received->report.error;
  if (received->report.kind != Report::Kind::ended) return false;
  out.status = received->report.status;
  return true;
}

}  // namespace

Workplace::Workplace() {
  for (auto const& path : {workspace(), home()}) {
    fs::create_directory(path);
    give_away(path);
  }
}

void Workplace::give_away(std::string const& path) const {
  if (::geteuid() == 0 && ::chown(path.c_str(), kOwner, kOwner) < 0)
    throw std::system_error(errno, std::generic_category(), path);
}

std::string Workplace::add(std::string_view name, std::string_view content) const {
  auto const path = fs::path(workspace()) / name;
  test::write_file(path, content);
  fs::permissions(path, fs::perms(0755));
  give_away(path.string());
  return path.string();
}

PlanRequest Workplace::request(std::vector<std::string> command) const {
  PlanRequest out;
  out.command = std::move(command);
  out.workspace = out.cwd = workspace();
  out.home = home();
  out.identity = ::geteuid() == 0 ? Identity{kOwner, kOwner, true} : Identity{::geteuid(), ::getegid(), false};
  out.environment = {{"PATH", "/usr/bin:/bin"}, {"HOME", home()}};
  return out;
}

Plan Workplace::plan(std::vector<std::string> command) const {
  auto made = make_plan(request(std::move(command)), policies::Policy{});
  if (!made) throw std::runtime_error(made.error().what);
  return *std::move(made);
}

RunningJail::RunningJail(Plan const& plan, LaunchOptions options) : RunningJail(plan, options, socket_pair()) {}

RunningJail::RunningJail(Plan const& plan, LaunchOptions options, std::pair<UniqueFd, UniqueFd> ends)
    : ours_(std::move(ends.first)), jail_(launch_or_throw(plan, options, std::move(ends.second))) {}

Ran run(Plan const& plan, LaunchOptions options) {
  RunningJail const jail(plan, options);
  auto handover = await_setup(jail.get(), plan);
  if (!handover) throw std::runtime_error(handover.error().what);
  if (auto started = start_command(jail.get()); !started) throw std::runtime_error(started.error().what);
  int const listener = handover->seccomp_listener.get(), report = jail.get().report.get();
  Ran out;
  for (bool listening = true;;) {
    std::array<pollfd, 2> waiting{{{report, POLLIN, 0}, {listening ? listener : -1, POLLIN, 0}}};
    if (::poll(waiting.data(), waiting.size(), static_cast<int>(kPatience.count())) <= 0)
      throw std::runtime_error("the jail hangs");
    if (waiting[1].revents & POLLIN) let_go_on(listener);
    if (waiting[1].revents & POLLHUP) listening = false;
    if (waiting[0].revents != 0 && take_report(report, out)) return out;
  }
}

}  // namespace sallyport::jail
