#pragma once
// Watches over a running jail: system call notifications, the gateway's records, signals, the time limit, the end. One thread, which
// is all the supervisor process has. Reads no byte that came from the jail's network or from a server.

#include "audit/file_sink.hpp"
#include "audit/event.hpp"
#include "base/clock.hpp"
#include "base/result.hpp"
#include "jail/command_recorder.hpp"
#include "jail/command_table.hpp"
#include "jail/exit_watch.hpp"
#include "jail/gateway_link.hpp"
#include "jail/launch.hpp"
#include "jail/notifications.hpp"
#include "jail/process_facts.hpp"
#include "jail/terminal.hpp"

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <variant>

namespace sallyport::jail {

struct Exited { int code = 0; };
struct Signaled { int signal = 0; };
struct TimedOut {};
struct NotStarted { int error = 0; };   // errno of the exec
struct Broken { Error error; std::string cause; };  // gateway_lost, audit_failed, setup_failed
using ExitReport = std::variant<Exited, Signaled, TimedOut, NotStarted, Broken>;

/// Signals that the supervisor passes on to the command. Block them before launch().
sigset_t forwarded_signals();

class Supervisor {
 public:
  struct Parts {
    Plan const& plan;
    Jail const& jail;
    Handover handover;
    GatewayLink& gateway;
    audit::FileSink& sink;
    Clock const& clock;
    std::function<void()> each_second = {};  // for what the session looks after besides
  };
  static Result<std::unique_ptr<Supervisor>> make(Parts parts, std::optional<std::chrono::milliseconds> timeout);
  Supervisor(Supervisor const&) = delete;
  Supervisor& operator=(Supervisor const&) = delete;

  /// Until the command has ended and every process of the jail is gone. Everything is on the audit log then, but for session.end.
  /// REQUIRES: start_command() was called.
  ExitReport run();

 private:
  using Time = std::chrono::steady_clock::time_point;
  Supervisor(Parts parts, UniqueFd signals, UniqueFd exit_epoll, std::optional<std::chrono::milliseconds> timeout);

  Time next_wake() const;
  Result<void> handle_ready();
  Result<void> handle_notification(short events);
  Result<void> handle_report();
  Result<GatewayLink::State> take_messages();
  Result<void> handle_gateway();
  Result<void> handle_timers();
  Result<void> write_limit_hit();
  Result<void> write_last_records();
  void handle_signal();
  void handle_stop();
  void signal_command(int signal);
  ExitReport finish(ExitReport report);

  Parts parts_;
  UniqueFd signals_;
  CommandTable table_;
  ProcessFacts facts_;
  ExitWatch exits_;
  CommandRecorder recorder_;
  Notifications notifications_;
  Terminal terminal_;
  std::optional<Time> time_limit_;
  std::optional<Time> kill_at_;
  Time next_tick_;
  bool timed_out_ = false;
  bool notifications_over_ = false;
  bool nothing_left_ = false;  // PID 1 has ended every other process of the jail
  std::optional<int> exec_error_;
  std::optional<ExitReport> report_;
};

}  // namespace sallyport::jail
