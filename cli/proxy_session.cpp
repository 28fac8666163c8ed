#include "cli/proxy_session.hpp"

#include "audit/file_sink.hpp"
#include "base/clock.hpp"
#include "cli/audit_file.hpp"
#include "cli/exit_status.hpp"
#include "cli/gateway_process.hpp"
#include "cli/policy_sources.hpp"
#include "cli/secret_scrub.hpp"
#include "cli/session_dlp.hpp"
#include "cli/session_records.hpp"
#include "cli/serve.hpp"
#include "cli/session_tls.hpp"
#include "jail/environment.hpp"
#include "jail/gateway_link.hpp"
#include "policies/port.hpp"
#include "policies/yaml_loader.hpp"

#include <arpa/inet.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>

namespace sallyport::cli {
namespace {

using namespace std::chrono_literals;

constexpr int kBacklog = 4096;
constexpr auto kReadyTimeout = 20s;
constexpr int kTickMilliseconds = 1000;
constexpr auto kDrain = 5s;

struct ListenAddress {
  policies::IpAddress address;
  std::uint16_t port;
};

Result<ListenAddress> parse_listen(std::string const& text) {
  Error const error{Code::invalid, 0, "--listen: '" + text + "' is not ADDRESS:PORT, for example 127.0.0.1:3128 or [::1]:3128"};
  auto const colon = text.rfind(':');
  if (colon == std::string::npos) return error;
  std::string host = text.substr(0, colon);
  if (host.starts_with('[') && host.ends_with(']')) host = host.substr(1, host.size() - 2);
  auto const address = policies::IpAddress::parse(host);
  auto const port = policies::parse_port(text.substr(colon + 1));
  if (!address || !port) return error;
  return ListenAddress{*address, *port};
}

int bind_to(int fd, ListenAddress const& at) {
  if (at.address.is_v4()) {
    sockaddr_in name{};
    name.sin_family = AF_INET;
    name.sin_port = htons(at.port);
    std::memcpy(&name.sin_addr, at.address.v4_bytes().data(), 4);
    return ::bind(fd, reinterpret_cast<sockaddr*>(&name), sizeof name);
  }
  sockaddr_in6 name{};
  name.sin6_family = AF_INET6;
  name.sin6_port = htons(at.port);
  std::memcpy(&name.sin6_addr, at.address.bytes().data(), 16);
  return ::bind(fd, reinterpret_cast<sockaddr*>(&name), sizeof name);
}

Result<UniqueFd> listen_on(std::string const& text) {
  auto const at = parse_listen(text);
  if (!at) return at.error();
  int const family = at->address.is_v4() ? AF_INET : AF_INET6;
  auto fd = UniqueFd::adopt(::socket(family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0), "socket");
  if (!fd) return fd.error();
  int const on = 1;
  ::setsockopt(fd->get(), SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  if (bind_to(fd->get(), *at) < 0 || ::listen(fd->get(), kBacklog) < 0) return Error::os(errno, "listening on " + text);
  return fd;
}

std::optional<audit::Process> nobody(audit::Flow const&) { return std::nullopt; }

/// Writes what the gateway decides until it ends; asks it to end when a signal comes. Returns the cause of the end.
Result<std::string> serve(jail::GatewayLink& link, audit::FileSink& sink, int signals, Clock const& clock) {
  std::optional<std::chrono::steady_clock::time_point> stop_at;
  for (;;) {
    std::array<pollfd, 2> waiting{{{link.descriptor(), POLLIN, 0}, {signals, POLLIN, 0}}};
    if (::poll(waiting.data(), waiting.size(), kTickMilliseconds) < 0 && errno != EINTR) return Error::os(errno, "poll");
    if (waiting[0].revents != 0) {
      auto const state = link.handle_messages(nobody);
      if (!state) return state.error();
      if (*state == jail::GatewayLink::State::closed) return std::string(stop_at ? "stopped" : "gateway_lost");
    }
    if (waiting[1].revents != 0 && !stop_at) {
      stop_at = clock.now() + kDrain;
      link.stop();
    }
    if (stop_at && clock.now() > *stop_at) return std::string("stopped");
    if (auto done = sink.tick(); !done) return done.error();
  }
}

Result<std::string> run_gateway_and_log(ProxyOptions const& options, Console const& console, Clock const& clock) {
  auto policy = policies::load_policy(policy_sources(console, options.policies, options.allow));
  if (!policy) return policy.error();
  auto tls = prepare_tls(**policy, options.ca_bundles);
  if (!tls) return tls.error();
  if (auto written = write_certificate(*tls, options.ca_out); !written) return written.error();
  proxy::ListenerFds listeners;
  for (auto const& text : options.listen) {
    auto fd = listen_on(text);
    if (!fd) return fd.error();
    listeners.explicit_proxy.push_back(*std::move(fd));
  }
  auto const signals = termination_descriptor();
  if (!signals) return signals.error();
  auto dlp = prepare_dlp((*policy)->dlp, jail::read_environment(environ), {});
  if (!dlp) return dlp.error();
  auto gateway = start_gateway({*policy, options.pins, std::move(tls->ca), std::move(tls->ca_bundle), *dlp}, {}, std::move(listeners));
  if (!gateway) return gateway.error();
  auto sink = open_audit(options.audit, clock, secret_scrub((*policy)->dlp, *dlp));
  if (!sink) return sink.error();
  jail::GatewayLink link(std::move(gateway->channel), **sink);
  if (auto ready = link.await_ready(kReadyTimeout); !ready) return ready.error();
  if (auto seq = (*sink)->append(proxy_start(**policy, options.listen)); !seq) return seq.error();
  if (auto written = (*sink)->commit(); !written) return written.error();
  std::fprintf(console.out, "sallyport: listening on %s, audit log %s\n", options.listen.front().c_str(), (*sink)->path().c_str());
  std::fflush(console.out);
  auto cause = serve(link, **sink, signals->get(), clock);
  ::kill(gateway->pid, SIGKILL);
  ::waitpid(gateway->pid, nullptr, 0);
  audit::SessionEnd end;
  end.cause = cause ? *cause : "audit_failed";
  if (auto seq = (*sink)->append(end); !seq) return seq.error();
  if (auto written = (*sink)->commit(); !written) return written.error();
  return cause;
}

}  // namespace

int run_proxy_session(ProxyOptions const& options, Console const& console) {
  SystemClock const clock;
  auto const cause = run_gateway_and_log(options, console, clock);
  if (cause && *cause == "stopped") return 0;
  std::fprintf(console.err, "sallyport: %s\n", cause ? "the gateway ended" : cause.error().what.c_str());
  return kNotSetUp;
}

}  // namespace sallyport::cli
