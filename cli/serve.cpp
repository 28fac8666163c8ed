#include "cli/serve.hpp"

#include <poll.h>
#include <signal.h>
#include <sys/signalfd.h>

#include <array>
#include <cerrno>
#include <chrono>

namespace sallyport::cli {
namespace {

using namespace std::chrono_literals;

constexpr int kTickMilliseconds = 1000;
constexpr auto kDrain = 5s;
constexpr auto kLookInterval = 1s;

}  // namespace

Result<UniqueFd> termination_descriptor() {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGTERM);
  sigaddset(&set, SIGINT);
  ::sigprocmask(SIG_BLOCK, &set, nullptr);
  return UniqueFd::adopt(::signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK), "signalfd");
}

Result<std::string> serve(ServeParts parts) {
  std::string cause = "gateway_lost";
  std::optional<std::chrono::steady_clock::time_point> stop_at;
  auto look_at = parts.clock.now();
  for (;;) {
    std::array<pollfd, 4> waiting{{{parts.link.descriptor(), POLLIN, 0},
                                   {stop_at ? -1 : parts.signals, POLLIN, 0},
                                   {stop_at ? -1 : parts.life.value_or(-1), POLLIN, 0},
                                   {parts.watched ? parts.watched->descriptor : -1, POLLIN, 0}}};
    if (::poll(waiting.data(), waiting.size(), kTickMilliseconds) < 0 && errno != EINTR) return Error::os(errno, "poll");
    if (parts.watched && (waiting[0].revents != 0 || waiting[3].revents != 0)) {
      if (auto taken = parts.watched->take(); !taken) return taken.error();
    }
    if (waiting[0].revents != 0) {
      auto const state = parts.link.handle_messages(parts.identify);
      if (!state) return state.error();
      if (*state == jail::GatewayLink::State::closed) return cause;
    }
    if (!stop_at && (waiting[1].revents != 0 || waiting[2].revents != 0)) {
      cause = waiting[1].revents != 0 ? "stopped" : "container_ended";
      stop_at = parts.clock.now() + kDrain;
      parts.link.stop();
    }
    if (stop_at && parts.clock.now() > *stop_at) return cause;
    if (parts.each_second && parts.clock.now() >= look_at) {
      look_at = parts.clock.now() + kLookInterval;
      parts.each_second();
    }
    if (auto done = parts.sink.tick(); !done) return done.error();
  }
}

}  // namespace sallyport::cli
