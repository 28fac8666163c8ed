#include "jail/command_child.hpp"

#include "jail/privileges.hpp"
#include "jail/report.hpp"

#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

namespace sallyport::jail {
namespace {

constexpr int kSetupFailed = 125, kNotExecutable = 126, kNotFound = 127;

struct CommandState {
  ChildInput& input;
  int listener_fd = -1;
};

using CommandStep = int (*)(CommandState&) noexcept;

/// Its own process group: kill(0, …) in the jail reaches nothing of the caller's.
int process_group(CommandState&) noexcept { return ::setpgid(0, 0) < 0 ? errno : 0; }

/// The namespace that owns the network stays behind; from here on there is no capability over it.
int inner_user_namespace(CommandState&) noexcept { return ::unshare(CLONE_NEWUSER) < 0 ? errno : 0; }

int inner_id_maps(CommandState& s) noexcept {
  if (int error = write_id_maps(s.input)) return error;
  return forbid_user_namespaces();
}

int capabilities(CommandState&) noexcept { return drop_capabilities(); }
int no_new_privs(CommandState&) noexcept { return set_no_new_privs(); }

int close_descriptors(CommandState& s) noexcept {
  unsigned const report = static_cast<unsigned>(s.input.report_fd);
  if (report > 3 && ::close_range(3, report - 1, 0) < 0) return errno;
  return ::close_range(report + 1, ~0U, 0) < 0 ? errno : 0;
}

int working_directory(CommandState& s) noexcept { return ::chdir(s.input.plan.cwd.c_str()) < 0 ? errno : 0; }

int seccomp_filter(CommandState& s) noexcept {
  auto const& instructions = s.input.plan.seccomp;
  // SAFETY: the kernel reads `len` 8-byte instructions and changes none of them.
  sock_fprog program{static_cast<unsigned short>(instructions.size()),
                     reinterpret_cast<sock_filter*>(const_cast<std::uint64_t*>(instructions.data()))};
  long const fd = ::syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_NEW_LISTENER, &program);
  if (fd < 0) return errno;
  s.listener_fd = static_cast<int>(fd);
  return 0;
}

int send_seccomp_listener(CommandState& s) noexcept {
  Report report;
  report.kind = Report::Kind::seccomp_listener;
  int const error = send_report_with_fds(s.input.report_fd, report, &s.listener_fd, 1);
  ::close(s.listener_fd);
  return error;
}

/// The parent sends one byte when the gateway is confined and the session is on the audit log; it closes the socket otherwise.
int wait_for_start(CommandState& s) noexcept {
  char go = 0;
  for (;;) {
    ssize_t const received = ::recv(s.input.report_fd, &go, 1, 0);
    if (received == 1) break;
    if (received < 0 && errno == EINTR) continue;
    return received < 0 ? errno : ECANCELED;
  }
  return ::sigprocmask(SIG_SETMASK, &s.input.signal_mask, nullptr) < 0 ? errno : 0;
}

/// As execvp(3) does it: the next candidate on ENOENT and ENOTDIR, /bin/sh for a script without an interpreter line. A candidate that
/// is not there is not tried: each try waits for the supervisor.
int execute(CommandState& s) noexcept {
  int error = ENOENT;
  char* const* argv = s.input.argv.data();
  char* const* environment = s.input.environment.data();
  for (auto const& path : s.input.plan.candidates) {
    if (::access(path.c_str(), F_OK) < 0 && (errno == ENOENT || errno == ENOTDIR)) continue;
    ::execve(path.c_str(), argv, environment);
    if (errno == ENOEXEC) {
      s.input.script_argv[1] = const_cast<char*>(path.c_str());
      ::execve("/bin/sh", s.input.script_argv.data(), environment);
    }
    if (errno != ENOENT && errno != ENOTDIR) error = errno;
    if (error != EACCES && error != ENOENT) break;
  }
  return error;
}

constexpr std::pair<Step, CommandStep> kCommandSteps[] = {
    {Step::process_group, process_group},
    {Step::inner_user_namespace, inner_user_namespace},
    {Step::inner_id_maps, inner_id_maps},
    {Step::capabilities, capabilities},
    {Step::no_new_privs, no_new_privs},
    {Step::close_descriptors, close_descriptors},
    {Step::working_directory, working_directory},
    {Step::seccomp, seccomp_filter},  // last: it forbids much of the above
    {Step::send_seccomp_listener, send_seccomp_listener},
    {Step::wait_for_start, wait_for_start},
};

}  // namespace

void command_main(ChildInput& input) noexcept {
  CommandState state{input};
  for (auto [step, run] : kCommandSteps) {
    int const error = input.fail_at == step ? EIO : run(state);
    if (error == 0) continue;
    static_cast<void>(send_report(input.report_fd, {Report::Kind::failed, step, error, -1, 0}));
    ::_exit(kSetupFailed);
  }
  int const error = input.fail_at == Step::execute ? EIO : execute(state);
  static_cast<void>(send_report(input.report_fd, {Report::Kind::exec_failed, Step::execute, error, -1, 0}));
  ::_exit(error == ENOENT ? kNotFound : kNotExecutable);
}

}  // namespace sallyport::jail
