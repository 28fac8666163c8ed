#include "jail/child.hpp"

#include "jail/command_child.hpp"
#include "jail/mounts.hpp"
#include "jail/net_bridge.hpp"
#include "jail/privileges.hpp"
#include "jail/report.hpp"

#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

namespace sallyport::jail {
namespace {

constexpr int kSetupFailed = 125;

/// What the steps of PID 1 share.
struct InitState {
  ChildInput& input;
  BridgeSockets sockets;
  std::int32_t detail = -1;  // index of a mount step
  pid_t command = -1;
};

using InitStep = int (*)(InitState&) noexcept;

int enter_namespaces(InitState&) noexcept {
  return ::unshare(CLONE_NEWNET | CLONE_NEWNS | CLONE_NEWIPC | CLONE_NEWUTS | CLONE_NEWCGROUP) < 0 ? errno : 0;
}
int map_ids(InitState& s) noexcept { return write_id_maps(s.input); }
int become_user(InitState& s) noexcept { return settle_identity(s.input); }

/// After the change of user, which clears it. A parent that died before that shows as a closed report socket.
int die_with_parent(InitState& s) noexcept {
  if (::prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0) < 0) return errno;
  pollfd parent{s.input.report_fd, 0, 0};
  return ::poll(&parent, 1, 0) > 0 && (parent.revents & POLLHUP) ? ECHILD : 0;
}

int loopback(InitState& s) noexcept { return bring_up_loopback(s.input.plan); }
int net_rules(InitState& s) noexcept { return load_net_rules(s.input.plan); }
int listeners(InitState& s) noexcept { return open_listeners(s.input.plan, s.sockets); }
int packet_log(InitState& s) noexcept { return open_packet_log(s.input.plan, s.sockets); }
int socket_diag(InitState& s) noexcept { return open_socket_diag(s.sockets); }

/// The gateway gets all but the socket_diag socket, which goes to the supervisor.
int send_sockets(InitState& s) noexcept {
  unsigned const count = s.input.plan.ipv6 == Ipv6::present ? socket_order::count : socket_order::kWithoutIpv6;
  Report report;
  report.kind = Report::Kind::sockets;
  int error = send_report_with_fds(s.input.report_fd, report, &s.sockets.fds[socket_order::socket_diag], 1);
  if (error == 0) error = send_report_with_fds(s.input.sockets_fd, report, s.sockets.fds, count);
  for (unsigned i = 0; i < count; ++i) ::close(s.sockets.fds[i]);
  ::close(s.input.sockets_fd);
  return error;
}

int private_mounts(InitState&) noexcept { return make_mounts_private(); }
int new_root(InitState&) noexcept { return begin_new_root(); }
int mounts(InitState& s) noexcept { return apply_mounts(s.input.plan, s.detail); }
int enter_root(InitState&) noexcept { return enter_new_root(); }

int hostname(InitState& s) noexcept {
  auto const& name = s.input.plan.hostname;
  return ::sethostname(name.data(), name.size()) < 0 ? errno : 0;
}

int fork_command(InitState& s) noexcept {
  s.command = ::_Fork();  // without atfork handlers: async-signal-safe
  if (s.command < 0) return errno;
  if (s.command == 0) command_main(s.input);
  return 0;
}

/// PID 1 shows neither its memory nor the caller's command line.
int no_dumps(InitState& s) noexcept {
  for (std::size_t i = 0; i < s.input.command_line_bytes; ++i) s.input.command_line[i] = 0;
  return ::prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) < 0 ? errno : 0;
}
int capabilities(InitState&) noexcept { return drop_capabilities(); }
int no_new_privs(InitState&) noexcept { return set_no_new_privs(); }

int close_descriptors(InitState& s) noexcept {
  unsigned const report = static_cast<unsigned>(s.input.report_fd);
  if (report > 0 && ::close_range(0, report - 1, 0) < 0) return errno;
  return ::close_range(report + 1, ~0U, 0) < 0 ? errno : 0;
}

constexpr std::pair<Step, InitStep> kInitSteps[] = {
    {Step::namespaces, enter_namespaces},
    {Step::id_maps, map_ids},
    {Step::identity, become_user},
    {Step::die_with_parent, die_with_parent},
    {Step::loopback, loopback},
    {Step::net_rules, net_rules},
    {Step::listeners, listeners},
    {Step::packet_log, packet_log},
    {Step::socket_diag, socket_diag},
    {Step::send_sockets, send_sockets},
    {Step::private_mounts, private_mounts},
    {Step::new_root, new_root},
    {Step::mounts, mounts},
    {Step::enter_root, enter_root},
    {Step::hostname, hostname},
    {Step::fork_command, fork_command},
    {Step::no_dumps, no_dumps},
    {Step::capabilities, capabilities},
    {Step::no_new_privs, no_new_privs},
    {Step::close_descriptors, close_descriptors},
};

/// Ends whatever the command left behind. It all has this user id: nothing in the jail can gain another one.
void end_the_rest() noexcept {
  ::kill(-1, SIGKILL);
  while (::waitpid(-1, nullptr, __WALL) > 0 || errno == EINTR) {}
}

/// Reaps every process of the jail. When the command has ended, the others are ended too, and only then is it told: taking down the
/// namespaces, which the kernel does when this process ends, need not be waited for.
[[noreturn]] void reap(InitState const& s) noexcept {
  for (;;) {
    int status = 0;
    pid_t const pid = ::waitpid(-1, &status, WUNTRACED);
    if (pid < 0 && errno == EINTR) continue;
    if (pid < 0) ::_exit(kSetupFailed);
    if (pid != s.command) continue;
    Report report;
    report.kind = WIFSTOPPED(status) ? Report::Kind::stopped : Report::Kind::ended;
    report.status = status;
    if (report.kind == Report::Kind::ended) end_the_rest();
    static_cast<void>(send_report(s.input.report_fd, report));  // a dead parent ends this process anyway
    if (report.kind == Report::Kind::ended) ::_exit(0);
  }
}

}  // namespace

void child_main(ChildInput& input) noexcept {
  InitState state{input, {}, -1, -1};
  for (int& fd : state.sockets.fds) fd = -1;
  for (auto [step, run] : kInitSteps) {
    int const error = input.fail_at == step ? EIO : run(state);
    if (error == 0) continue;
    static_cast<void>(send_report(input.report_fd, {Report::Kind::failed, step, error, state.detail, 0}));
    ::_exit(kSetupFailed);
  }
  Report ready;
  ready.kind = Report::Kind::ready;
  static_cast<void>(send_report(input.report_fd, ready));  // a dead parent ends this process anyway
  reap(state);
}

}  // namespace sallyport::jail
