#include "jail/supervisor.hpp"

#include "base/limits.hpp"
#include "jail/proc_files.hpp"
#include "jail/receive.hpp"

#include <poll.h>
#include <sys/epoll.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>

namespace sallyport::jail {
namespace {

using namespace std::chrono_literals;

constexpr auto kTick = 1s;
constexpr auto kGatewayEnd = 2s;  // to close its connections and send its last records

std::optional<pid_t> parent_of(pid_t pid) {
  auto const process = ProcDirectory::open(pid);
  if (!process) return std::nullopt;
  auto const status = process->status();
  return status ? std::optional(status->ppid) : std::nullopt;
}

ExitReport report_of(int status) {
  if (WIFSIGNALED(status)) return Signaled{WTERMSIG(status)};
  return Exited{WEXITSTATUS(status)};
}

timespec until(std::chrono::steady_clock::time_point when, std::chrono::steady_clock::time_point now) {
  auto const left = std::max<std::chrono::nanoseconds>(when - now, 0ns);
  return {static_cast<time_t>(left / 1s), static_cast<long>((left % 1s).count())};
}

}  // namespace

sigset_t forwarded_signals() {
  sigset_t set;
  sigemptyset(&set);
  for (int signal : {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2}) sigaddset(&set, signal);
  return set;
}

Result<std::unique_ptr<Supervisor>> Supervisor::make(Parts parts, std::optional<std::chrono::milliseconds> timeout) {
  sigset_t const set = forwarded_signals();
  auto signals = UniqueFd::adopt(::signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK), "signalfd");
  if (!signals) return signals.error();
  auto epoll = UniqueFd::adopt(::epoll_create1(EPOLL_CLOEXEC), "epoll_create1");
  if (!epoll) return epoll.error();
  return std::unique_ptr<Supervisor>(new Supervisor(std::move(parts), *std::move(signals), *std::move(epoll), timeout));
}

Supervisor::Supervisor(Parts parts, UniqueFd signals, UniqueFd exit_epoll, std::optional<std::chrono::milliseconds> timeout)
    : parts_(std::move(parts)),
      signals_(std::move(signals)),
      table_(parent_of),
      facts_(SocketOwner(std::move(parts_.handover.socket_diag), parts_.jail.pid), table_, parts_.clock),
      exits_(std::move(exit_epoll), parts_.sink, parts_.clock, table_),
      recorder_(parts_.sink, parts_.clock, table_, exits_),
      notifications_(std::move(parts_.handover.seccomp_listener), recorder_, facts_, parts_.sink),
      next_tick_(parts_.clock.now() + kTick) {
  if (timeout) time_limit_ = parts_.clock.now() + *timeout;
}

Supervisor::Time Supervisor::next_wake() const {
  Time wake = next_tick_;
  for (auto const& deadline : {time_limit_, kill_at_, recorder_.next_look()})
    if (deadline) wake = std::min(wake, *deadline);
  return wake;
}

ExitReport Supervisor::run() {
  while (!report_) {
    if (auto done = handle_ready(); !done) return finish(Broken{done.error(), "audit_failed"});
  }
  return finish(*report_);
}

Result<void> Supervisor::handle_ready() {
  std::array<pollfd, 5> waiting{{{signals_.get(), POLLIN, 0},
                                 {notifications_over_ ? -1 : notifications_.listener(), POLLIN, 0},
                                 {parts_.gateway.descriptor(), POLLIN, 0},
                                 {exits_.descriptor(), POLLIN, 0},
                                 {parts_.jail.report.get(), POLLIN, 0}}};
  timespec const timeout = until(next_wake(), parts_.clock.now());
  if (::ppoll(waiting.data(), waiting.size(), &timeout, nullptr) < 0 && errno != EINTR) return Error::os(errno, "ppoll");
  auto ready = [&](std::size_t i) { return waiting[i].revents != 0; };
  if (ready(0)) handle_signal();
  if (ready(1)) {
    if (auto done = handle_notification(waiting[1].revents); !done) return done;
  }
  if (ready(2)) {
    if (auto done = handle_gateway(); !done) return done;
  }
  if (ready(3)) {
    if (auto done = exits_.handle_ended(); !done) return done;
  }
  if (auto done = handle_timers(); !done) return done;
  // Last: whatever the jail did before its end has been written by now.
  return ready(4) ? handle_report() : Result<void>{};
}

Result<void> Supervisor::handle_notification(short events) {
  if (!(events & POLLIN)) {
    notifications_over_ = true;  // every process of the jail is gone
    return {};
  }
  return notifications_.handle_one([this](pid_t command) { terminal_.lend_to(command); });
}

/// The commands that led to a request are written before the request.
Result<GatewayLink::State> Supervisor::take_messages() {
  if (auto settled = recorder_.settle(); !settled) return settled.error();
  return parts_.gateway.handle_messages([this](audit::Flow const& flow) { return facts_.of_flow(flow); });
}

Result<void> Supervisor::handle_gateway() {
  auto const state = take_messages();
  if (!state) return state.error();
  if (*state == GatewayLink::State::closed)
    report_ = Broken{Error{Code::closed, 0, "the gateway ended, and with it the jail's network"}, "gateway_lost"};
  return {};
}

Result<void> Supervisor::handle_timers() {
  Time const now = parts_.clock.now();
  if (auto look = recorder_.next_look(); look && *look <= now) {
    if (auto done = recorder_.settle(); !done) return done;
  }
  if (next_tick_ <= now) {
    next_tick_ = now + kTick;
    if (parts_.each_second) parts_.each_second();
    if (auto done = parts_.sink.tick(); !done) return done;
  }
  if (time_limit_ && *time_limit_ <= now) {
    time_limit_.reset();
    kill_at_ = now + limits::kKillGrace;
    timed_out_ = true;
    signal_command(SIGTERM);
    return write_limit_hit();
  }
  if (kill_at_ && *kill_at_ <= now) {
    kill_at_.reset();
    ::kill(parts_.jail.pid, SIGKILL);
  }
  return {};
}

Result<void> Supervisor::write_limit_hit() {
  auto const written = parts_.sink.append(audit::LimitHit{"time", "the time limit of the session was reached"});
  if (!written) return written.error();
  return parts_.sink.commit();
}

Result<void> Supervisor::handle_report() {
  auto const received = receive_report(parts_.jail.report.get(), 0ms);
  if (!received) {
    report_ = Signaled{SIGKILL};  // PID 1 was killed
    return {};
  }
  Report const& report = received->report;
  switch (report.kind) {
    case Report::Kind::failed: report_ = Broken{setup_error(report, parts_.plan), "setup_failed"}; break;
    case Report::Kind::exec_failed: exec_error_ = report.error; break;
    case Report::Kind::stopped: handle_stop(); break;
    case Report::Kind::ended:
      nothing_left_ = true;
      report_ = report_of(report.status);
      break;
    default: break;  // the set-up reports were taken by await_setup()
  }
  return {};
}

void Supervisor::handle_signal() {
  signalfd_siginfo info{};
  while (::read(signals_.get(), &info, sizeof info) == sizeof info) signal_command(static_cast<int>(info.ssi_signo));
}

/// The command was stopped (Ctrl-Z): stop with it, so that the caller's shell notices, and go on together.
void Supervisor::handle_stop() {
  terminal_.take_back();
  ::kill(::getpid(), SIGSTOP);
  if (auto const command = notifications_.command()) {
    terminal_.lend_to(*command);
    ::kill(-*command, SIGCONT);
  }
}

void Supervisor::signal_command(int signal) {
  if (auto const command = notifications_.command()) {
    ::kill(*command, signal);
  } else {
    ::kill(parts_.jail.pid, SIGKILL);  // not executing yet
  }
}

ExitReport Supervisor::finish(ExitReport report) {
  if (!nothing_left_) destroy(parts_.jail);
  terminal_.take_back();
  if (std::holds_alternative<Broken>(report)) return report;
  if (auto done = write_last_records(); !done) return Broken{done.error(), "audit_failed"};
  if (timed_out_) return TimedOut{};
  if (exec_error_) return NotStarted{*exec_error_};
  return report;
}

Result<void> Supervisor::write_last_records() {
  if (auto done = recorder_.settle(); !done) return done;
  if (auto done = exits_.handle_ended(); !done) return done;
  parts_.gateway.stop();
  Time const deadline = parts_.clock.now() + kGatewayEnd;
  while (parts_.clock.now() < deadline) {
    pollfd waiting{parts_.gateway.descriptor(), POLLIN, 0};
    timespec const timeout = until(deadline, parts_.clock.now());
    if (::ppoll(&waiting, 1, &timeout, nullptr) <= 0) continue;
    auto const state = take_messages();
    if (!state) return state.error();
    if (*state == GatewayLink::State::closed) break;
  }
  return exits_.handle_ended();
}

}  // namespace sallyport::jail
