#include "jail/launch.hpp"

#include "jail/child.hpp"
#include "jail/child_input.hpp"
#include "jail/receive.hpp"

#include <grp.h>
#include <linux/sched.h>
#include <sched.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <cstdio>

namespace sallyport::jail {
namespace {

constexpr std::chrono::seconds kSetupTimeout{20};
constexpr char kShell[] = "/bin/sh";

std::vector<char*> pointers(std::vector<std::string> const& strings) {
  std::vector<char*> out;
  out.reserve(strings.size() + 1);
  for (auto const& s : strings) out.push_back(const_cast<char*>(s.c_str()));  // execve(2) takes char*, and changes nothing
  out.push_back(nullptr);
  return out;
}

ChildInput make_input(Plan const& plan, LaunchOptions const& options, int report_fd) {
  ChildInput input{plan, report_fd, options.sockets_fd, options.signal_mask, pointers(plan.argv), {}, pointers(plan.environment),
                   {},   {},        options.command_line.data(), options.command_line.size(), options.fail_at};
  input.script_argv = {const_cast<char*>(kShell), nullptr};
  input.script_argv.insert(input.script_argv.end(), input.argv.begin() + 1, input.argv.end());
  std::snprintf(input.uid_map, sizeof input.uid_map, "%u %u 1", plan.identity.uid, plan.identity.uid);
  std::snprintf(input.gid_map, sizeof input.gid_map, "%u %u 1", plan.identity.gid, plan.identity.gid);
  return input;
}

/// While it lives, root's effective user and groups are the jail's: the user namespace made meanwhile belongs to that user.
class BorrowedIdentity {
 public:
  explicit BorrowedIdentity(Identity const& identity) : active_(identity.changed) {
    if (!active_) return;
    groups_.resize(static_cast<std::size_t>(std::max(0, ::getgroups(0, nullptr))));
    if (::getgroups(static_cast<int>(groups_.size()), groups_.data()) < 0 || ::setgroups(0, nullptr) < 0 ||
        ::setresgid(-1, identity.gid, -1) < 0 || ::setresuid(-1, identity.uid, -1) < 0)
      error_ = errno;
  }
  BorrowedIdentity(BorrowedIdentity const&) = delete;
  BorrowedIdentity& operator=(BorrowedIdentity const&) = delete;
  ~BorrowedIdentity() {
    if (!active_) return;
    bool const restored = ::setresuid(-1, 0, -1) == 0 && ::setresgid(-1, ::getgid(), -1) == 0 &&
                          ::setgroups(groups_.size(), groups_.data()) == 0;
    if (!restored) std::perror("sallyport: returning to root");
  }
  int error() const { return error_; }

 private:
  bool active_;
  int error_ = 0;
  std::vector<gid_t> groups_;
};

Error clone_error(int error) {
  std::string const fix =
      error == EPERM || error == ENOSPC || error == EUSERS
          ? "; this host does not let you make user namespaces (check the sysctls user.max_user_namespaces, "
            "kernel.unprivileged_userns_clone and kernel.apparmor_restrict_unprivileged_userns)"
          : "";
  Error out = Error::os(error, "cannot start the jail: clone3");
  out.what += fix;
  return out;
}

Result<Jail> clone_child(ChildInput& input, Plan const& plan, UniqueFd report) {
  int pidfd = -1;
  clone_args args{};
  args.flags = CLONE_NEWUSER | CLONE_NEWPID | CLONE_PIDFD;
  args.pidfd = reinterpret_cast<std::uint64_t>(&pidfd);
  args.exit_signal = SIGCHLD;
  long pid = -1;
  int error = 0;
  {
    BorrowedIdentity const borrowed(plan.identity);
    if (borrowed.error() != 0) return Error::os(borrowed.error(), "cannot become the jail's user");
    pid = ::syscall(SYS_clone3, &args, sizeof args);
    if (pid == 0) child_main(input);
    error = errno;
  }
  if (pid < 0) return clone_error(error);
  auto owned = UniqueFd::adopt(pidfd, "pidfd");
  if (!owned) return owned.error();
  return Jail{static_cast<pid_t>(pid), *std::move(owned), std::move(report)};
}

}  // namespace

Error setup_error(Report const& report, Plan const& plan) {
  std::string text = "cannot set up the jail: " + std::string(describe(report.step));
  auto const index = static_cast<std::size_t>(report.detail);
  if (report.step == Step::mounts && index < plan.mounts.size()) {
    auto const& step = plan.mounts[index];
    text += " (/" + step.target + (step.source.empty() ? "" : " from " + step.source) + ")";
  }
  return Error::os(report.error, std::move(text));
}

Result<Jail> launch(Plan const& plan, LaunchOptions const& options) {
  std::array<int, 2> pair{};
  if (::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair.data()) < 0) return Error::os(errno, "socketpair");
  auto ours = UniqueFd::adopt(pair[0], "socketpair");
  auto childs = UniqueFd::adopt(pair[1], "socketpair");
  if (!ours || !childs) return Error{Code::os, 0, "socketpair"};
  ChildInput input = make_input(plan, options, childs->get());
  return clone_child(input, plan, *std::move(ours));
}

Result<Handover> await_setup(Jail const& jail, Plan const& plan) {
  std::vector<UniqueFd> socket_diag, listener;
  for (bool ready = false; listener.empty() || !ready;) {
    auto received = receive_report(jail.report.get(), kSetupTimeout);
    if (!received) return received.error();
    Report const& report = received->report;
    if (report.kind == Report::Kind::failed) return setup_error(report, plan);
    if (report.kind == Report::Kind::ready) ready = true;
    if (report.kind == Report::Kind::sockets) socket_diag = std::move(received->fds);
    if (report.kind == Report::Kind::seccomp_listener) listener = std::move(received->fds);
    if (report.kind == Report::Kind::ended) return Error{Code::closed, 0, "cannot set up the jail: its process ended"};
  }
  if (socket_diag.size() != 1 || listener.size() != 1) return Error{Code::invalid, 0, "the jail handed over too few descriptors"};
  return Handover{std::move(socket_diag.front()), std::move(listener.front())};
}

Result<void> start_command(Jail const& jail) {
  char const go = 'g';
  if (::send(jail.report.get(), &go, 1, MSG_NOSIGNAL) != 1) return Error::os(errno, "starting the command");
  return {};
}

void destroy(Jail const& jail) {
  ::kill(jail.pid, SIGKILL);
  ::waitpid(jail.pid, nullptr, 0);
}

}  // namespace sallyport::jail
