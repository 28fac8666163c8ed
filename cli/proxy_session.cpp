#include "cli/proxy_session.hpp"

#include "audit/file_sink.hpp"
#include "base/clock.hpp"
#include "cli/audit_file.hpp"
#include "cli/credentials.hpp"
#include "cli/exit_status.hpp"
#include "cli/gateway_process.hpp"
#include "cli/identity.hpp"
#include "cli/listen_address.hpp"
#include "cli/policy_sources.hpp"
#include "cli/proxy_listeners.hpp"
#include "cli/proxy_loop.hpp"
#include "cli/secret_scrub.hpp"
#include "cli/session_dlp.hpp"
#include "cli/session_records.hpp"
#include "cli/session_tls.hpp"
#include "jail/environment.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <utility>

namespace sallyport::cli {
namespace {

using PolicyPointer = std::shared_ptr<policies::Policy const>;

constexpr std::chrono::seconds kReadyTimeout{20};

std::vector<std::string> arguments_of(ProxyOptions const& options) {
  std::vector<std::string> arguments;
  for (auto const& place : options.listen) arguments.push_back("--listen=" + place);
  for (auto const& place : options.listen_tls) arguments.push_back("--listen-tls=" + place);
  for (auto const& block : options.balancers) arguments.push_back("--proxy-protocol=" + block.to_string());
  for (auto const& block : options.allow_clients) arguments.push_back("--allow-clients=" + block.to_string());
  return arguments;
}

class ProxySession {
 public:
  ProxySession(ProxyOptions const& options, Console const& console)
      : options_(options), console_(console), began_(clock_.now()), manager_(ServiceManager::from_environment()) {}
  ProxySession(ProxySession const&) = delete;
  ProxySession& operator=(ProxySession const&) = delete;
  ~ProxySession() { end_gateway(); }

  /// Everything stands, or nothing does.
  Result<void> start() {
    sources_ = policy_sources(console_, options_.policies, options_.allow);
    auto loaded = policies::load_policy_for_sharing(sources_);
    if (!loaded) return loaded.error();
    auto const when = options_.ca_out.empty() ? MakeAuthority::if_needed : MakeAuthority::always;
    auto tls = prepare_tls(*loaded->policy, options_.ca_bundles, when);
    if (!tls) return tls.error();
    if (auto written = write_certificate(*tls, options_.ca_out); !written) return written;
    authority_ = tls->ca ? Authority::present : Authority::none;
    if (auto started = start_parts(loaded->policy, *std::move(tls)); !started) return started;
    if (auto reloads = prepare_reload(*loaded); !reloads) return reloads;
    if (auto seq = sink_->append(routed(proxy_start(*loaded->policy, arguments_of(options_)), route_of(options_.upstream).get())); !seq) return seq.error();
    if (auto written = sink_->commit(); !written) return written;
    for (auto const& rule : loaded->policy->rules) {
      if (!rule->processes.empty()) tell("rule " + rule->name + " lists processes; behind a client of sallyport proxy none is known, so it allows nothing");
    }
    tell("listening on " + places_ + ", audit log " + sink_->path());
    manager_.ready("policy " + loaded->policy->name);
    return {};
  }

  Result<std::string> serve() {
    ProxyLoop loop({*link_, *sink_, clock_, *reloader_, *watch_, manager_, signals_->get(), options_.drain});
    auto cause = loop.run();
    end_gateway();
    audit::SessionEnd end;
    end.cause = cause ? *cause : "audit_failed";
    end.duration_us = static_cast<std::uint64_t>(std::chrono::duration_cast<std::chrono::microseconds>(clock_.now() - began_).count());
    if (auto seq = sink_->append(end); !seq) return seq.error();
    if (auto written = sink_->commit(); !written) return written.error();
    return cause;
  }

 private:
  /// The audit log is opened last: the gateway must not inherit its key.
  Result<void> start_parts(PolicyPointer const& policy, SessionTls tls) {
    auto inherited = take_inherited_sockets();
    if (!inherited) return inherited.error();
    auto listeners = open_listeners(options_, *std::move(inherited), files_);
    if (!listeners) return listeners.error();
    places_ = places_of(*listeners);
    auto signals = proxy_signal_descriptor();
    if (!signals) return signals.error();
    signals_.emplace(*std::move(signals));
    if (auto none = check_no_handouts(*policy, "proxy"); !none) return none;
    auto dlp = prepare_dlp(*policy, jail::read_environment(environ), {});
    if (!dlp) return dlp.error();
    proxy::GatewayOptions gateway_options{policy, options_.pins, route_of(options_.upstream), std::move(tls.ca), std::move(tls.ca_bundle), *dlp};
    gateway_options.clients = {options_.allow_clients, options_.max_connections, options_.max_connections_per_client, options_.balancers};
    gateway_options.timeouts = options_.timeouts;
    auto gateway = start_gateway(std::move(gateway_options), gateway_identity(), *std::move(listeners));
    if (!gateway) return gateway.error();
    gateway_.emplace(*std::move(gateway));
    auto sink = open_audit(options_.audit, clock_, secret_scrub(policy->dlp, *dlp));
    if (!sink) return sink.error();
    sink_ = *std::move(sink);
    link_.emplace(std::move(gateway_->channel), *sink_);
    return link_->await_ready(kReadyTimeout);
  }

  Result<void> prepare_reload(policies::LoadedPolicy const& loaded) {
    auto watch = PolicyWatch::make(clock_);
    if (!watch) return watch.error();
    watch_.emplace(*std::move(watch));
    watch_->add(loaded.files);
    auto say = [this](std::string const& line) { report_reload(line); };
    auto watch_files = [this](std::vector<std::string> const& files) { watch_->add(files); };
    reloader_.emplace(sources_, authority_, loaded.policy->digest, ReloaderParts{*link_, *sink_, say, watch_files});
    return {};
  }

  void report_reload(std::string const& line) {
    tell(line);
    manager_.ready(line.substr(0, line.find('\n')));
  }

  void tell(std::string const& line) const {
    std::fprintf(console_.out, "sallyport: %s\n", line.c_str());
    std::fflush(console_.out);
  }

  static std::string places_of(proxy::ListenerFds const& listeners) {
    std::string text;
    for (auto const* group : {&listeners.explicit_proxy, &listeners.sni}) {
      for (auto const& listener : *group) text += (text.empty() ? "" : ", ") + place_of(listener);
    }
    return text;
  }

  void end_gateway() {
    if (!gateway_) return;
    ::kill(gateway_->pid, SIGKILL);
    ::waitpid(gateway_->pid, nullptr, 0);
    gateway_.reset();
  }

  ProxyOptions const& options_;
  Console const& console_;
  SystemClock const clock_;
  std::chrono::steady_clock::time_point const began_;
  ServiceManager const manager_;
  policies::PolicySources sources_;
  Authority authority_ = Authority::none;
  SocketFiles files_;
  std::string places_;  // of the listeners
  std::optional<UniqueFd> signals_;
  std::optional<GatewayProcess> gateway_;
  std::unique_ptr<audit::FileSink> sink_;
  std::optional<jail::GatewayLink> link_;
  std::optional<PolicyWatch> watch_;
  std::optional<PolicyReloader> reloader_;
};

}  // namespace

int run_proxy_session(ProxyOptions const& options, Console const& console) {
  ProxySession session(options, console);
  auto const started = session.start();
  auto const cause = started ? session.serve() : Result<std::string>(started.error());
  if (cause && *cause == "stopped") return 0;
  std::fprintf(console.err, "sallyport: %s\n", cause ? "the gateway ended" : cause.error().what.c_str());
  return kNotSetUp;
}

}  // namespace sallyport::cli
