#include "cli/proxy_loop.hpp"

#include "base/limits.hpp"

#include <poll.h>
#include <signal.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <vector>

namespace sallyport::cli {
namespace {

constexpr std::chrono::milliseconds kTick{1000};

std::optional<audit::Process> nobody(audit::Flow const&) { return std::nullopt; }

}  // namespace

Result<UniqueFd> proxy_signal_descriptor() {
  sigset_t set;
  sigemptyset(&set);
  for (int number : {SIGTERM, SIGINT, SIGHUP}) sigaddset(&set, number);
  ::sigprocmask(SIG_BLOCK, &set, nullptr);
  return UniqueFd::adopt(::signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK), "signalfd");
}

int ProxyLoop::timeout() const {
  auto longest = std::min(kTick, parts_.manager.watchdog_interval().value_or(kTick));
  if (auto const settles = parts_.watch.wait()) longest = std::min(longest, *settles);
  return static_cast<int>(longest.count());
}

void ProxyLoop::begin(Phase phase, std::chrono::milliseconds longest) {
  phase_ = phase;
  phase_ends_ = parts_.clock.now() + longest;
  if (phase == Phase::draining) parts_.manager.stopping();
  phase == Phase::draining ? parts_.link.drain() : parts_.link.stop();
}

/// From one phase of the end to the next.
void ProxyLoop::advance() {
  if (phase_ == Phase::serving) return begin(Phase::draining, parts_.drain);
  if (phase_ == Phase::draining) begin(Phase::stopping, limits::kStopTimeout);
}

Result<void> ProxyLoop::take_signals() {
  signalfd_siginfo info{};
  while (::read(parts_.signals, &info, sizeof info) == sizeof info) {
    if (info.ssi_signo != SIGHUP) {
      advance();
    } else if (auto done = reload(ReloadTrigger::signal); !done) {
      return done;
    }
  }
  return {};
}

Result<void> ProxyLoop::reload(ReloadTrigger trigger) {
  for (auto& each : parts_.reloaders) {
    if (auto done = each.reload(trigger); !done) return done;
  }
  return {};
}

Result<void> ProxyLoop::go_on_reloading() {
  for (auto& each : parts_.reloaders) {
    if (auto done = each.go_on(); !done) return done;
  }
  return {};
}

void ProxyLoop::stay_alive() {
  auto const interval = parts_.manager.watchdog_interval();
  if (!interval || parts_.clock.now() < next_sign_of_life_) return;
  next_sign_of_life_ = parts_.clock.now() + *interval;
  if (parts_.link.ask_for_life()) parts_.manager.alive();
}

void ProxyLoop::look_after() {
  if (!parts_.each_second || parts_.clock.now() < next_look_) return;
  next_look_ = parts_.clock.now() + kTick;
  parts_.each_second();
}

Result<std::string> ProxyLoop::run() {
  for (;;) {
    std::vector<pollfd> waiting{{parts_.signals, POLLIN, 0}, {parts_.watch.descriptor(), POLLIN, 0}};
    for (int const channel : parts_.link.descriptors()) waiting.push_back({channel, POLLIN, 0});
    if (::poll(waiting.data(), waiting.size(), timeout()) < 0 && errno != EINTR) return Error::os(errno, "poll");
    if (std::any_of(waiting.begin() + 2, waiting.end(), [](pollfd const& channel) { return channel.revents != 0; })) {
      auto const state = parts_.link.handle_messages(nobody);
      if (!state) return state.error();
      if (*state == jail::GatewayLink::State::closed)
        return std::string(phase_ == Phase::serving ? "gateway_lost" : "stopped");
      if (auto done = go_on_reloading(); !done) return done.error();
    }
    if (waiting[0].revents != 0) {
      if (auto done = take_signals(); !done) return done.error();
    }
    if (waiting[1].revents != 0) parts_.watch.note();
    if (parts_.watch.settled()) {
      if (auto done = reload(ReloadTrigger::file); !done) return done.error();
    }
    if (phase_ == Phase::stopping && parts_.clock.now() > phase_ends_) return std::string("stopped");
    if (phase_ == Phase::draining && parts_.clock.now() > phase_ends_) advance();
    stay_alive();
    look_after();
    if (auto done = parts_.sink.tick(); !done) return done.error();
  }
}

}  // namespace sallyport::cli
