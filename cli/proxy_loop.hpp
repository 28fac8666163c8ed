#pragma once
// The supervisor's loop of `proxy`: writes down what the gateway decides, reloads the policy, tells the service manager,
// drains. One thread.

#include "audit/file_sink.hpp"
#include "base/clock.hpp"
#include "cli/policy_reloader.hpp"
#include "cli/policy_watch.hpp"
#include "cli/service_manager.hpp"
#include "jail/gateway_link.hpp"

#include <chrono>
#include <deque>
#include <functional>
#include <optional>
#include <string>

namespace sallyport::cli {

/// SIGTERM, SIGINT and SIGHUP from here on: blocked, and readable from the descriptor.
Result<UniqueFd> proxy_signal_descriptor();

struct ProxyLoopParts {
  jail::GatewayLink& link;
  audit::FileSink& sink;
  Clock const& clock;
  std::deque<PolicyReloader>& reloaders;  // one a tenant
  PolicyWatch& watch;
  ServiceManager const& manager;
  int signals;                      // of proxy_signal_descriptor()
  std::chrono::milliseconds drain;  // for live connections, after the first SIGTERM or SIGINT
  std::function<void()> each_second{};  // what else is to be looked after, at most that often
};

class ProxyLoop {
 public:
  explicit ProxyLoop(ProxyLoopParts parts) : parts_(parts) {}

  /// Why it ended: "stopped" by a signal, or "gateway_lost". After the first SIGTERM or SIGINT no connection is accepted;
  /// the live ones end by themselves, at the time limit, or at a second signal. An error means that the audit log could not
  /// be written.
  Result<std::string> run();

 private:
  enum class Phase { serving, draining, stopping };
  int timeout() const;
  Result<void> take_signals();
  Result<void> reload(ReloadTrigger trigger);
  Result<void> go_on_reloading();
  void begin(Phase phase, std::chrono::milliseconds longest);
  void advance();
  void stay_alive();
  void look_after();

  ProxyLoopParts parts_;
  Phase phase_ = Phase::serving;
  std::chrono::steady_clock::time_point phase_ends_{};
  std::chrono::steady_clock::time_point next_sign_of_life_{};
  std::chrono::steady_clock::time_point next_look_{};
};

}  // namespace sallyport::cli
