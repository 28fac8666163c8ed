#include "cli/proxy_session.hpp"

#include "audit/file_sink.hpp"
#include "base/clock.hpp"
#include "cli/audit_file.hpp"
#include "cli/exit_status.hpp"
#include "cli/gateway_process.hpp"
#include "cli/identity.hpp"
#include "cli/listen_address.hpp"
#include "cli/proxy_listeners.hpp"
#include "cli/proxy_loop.hpp"
#include "cli/proxy_tenants.hpp"
#include "cli/session_records.hpp"
#include "cli/session_tls.hpp"
#include "policies/rule_checks.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <deque>
#include <utility>
#include <vector>

namespace sallyport::cli {
namespace {

using PolicyPointer = std::shared_ptr<policies::Policy const>;

constexpr std::chrono::seconds kReadyTimeout{20};

std::vector<std::string> arguments_of(ProxyOptions const& options) {
  std::vector<std::string> arguments;
  for (auto const& place : options.listen) arguments.push_back("--listen=" + place);
  if (!options.tenants.empty()) arguments.push_back("--tenants=" + options.tenants);
  for (auto const& place : options.listen_tls) arguments.push_back("--listen-tls=" + place);
  if (options.balancers_on_unix) arguments.emplace_back("--proxy-protocol=unix");
  for (auto const& block : options.balancers) arguments.push_back("--proxy-protocol=" + block.to_string());
  arguments.push_back("--threads=" + std::to_string(options.threads));
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
    auto entries = read_tenant_entries(options_);
    if (!entries) return entries.error();
    auto tenants = load_proxy_tenants(options_, *entries, console_, clock_);
    if (!tenants) return tenants.error();
    tenants_ = *std::move(tenants);
    auto tls = prepare_tls(*policy(), options_.ca_bundles, needs_authority() ? MakeAuthority::always : MakeAuthority::if_needed);
    if (!tls) return tls.error();
    if (auto written = write_certificate(*tls, options_.ca_out); !written) return written;
    authority_ = tls->ca ? Authority::present : Authority::none;
    if (auto started = start_parts(*entries, *std::move(tls)); !started) return started;
    if (auto reloads = prepare_reload(); !reloads) return reloads;
    if (auto recorded = record_start(); !recorded) return recorded;
    for (auto const& tenant : tenants_) warn_of_processes(*tenant.loaded.policy);
    tell("listening on " + places_ + ", audit log " + sink_->path());
    manager_.ready("policy " + policy()->name);
    return {};
  }

  Result<std::string> serve() {
    ProxyLoop loop({*link_, *sink_, clock_, reloaders_, *watch_, manager_, signals_->get(), options_.drain, [this] { refresh_credentials(); }});
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
  PolicyPointer const& policy() const { return tenants_.front().loaded.policy; }

  bool needs_authority() const {
    auto const opens = [](ProxyTenant const& each) { return policies::opens_tls(*each.loaded.policy); };
    return !options_.ca_out.empty() || std::any_of(tenants_.begin(), tenants_.end(), opens);
  }

  Result<void> record_start() {
    if (auto seq = sink_->append(routed(proxy_start(*policy(), arguments_of(options_)), route_of(options_.upstream).get())); !seq) return seq.error();
    for (std::size_t i = 1; i < tenants_.size(); ++i) {
      auto const& of = *tenants_[i].loaded.policy;
      if (auto seq = sink_->append(audit::SessionTenant{tenants_[i].name, of.name, of.digest, of.layers}); !seq) return seq.error();
    }
    return sink_->commit();
  }

  void warn_of_processes(policies::Policy const& policy) const {
    for (auto const& rule : policy.rules) {
      if (!rule->processes.empty()) tell("rule " + rule->name + " lists processes; behind a client of sallyport proxy none is known, so it allows nothing");
    }
  }

  /// The audit log is opened last: the gateway must not inherit its key.
  Result<void> start_parts(std::vector<policies::TenantEntry> const& entries, SessionTls tls) {
    auto inherited = take_inherited_sockets();
    if (!inherited) return inherited.error();
    auto listeners = open_listeners(options_, entries, *std::move(inherited), files_);
    if (!listeners) return listeners.error();
    places_ = places_of(*listeners);
    auto signals = proxy_signal_descriptor();
    if (!signals) return signals.error();
    signals_.emplace(*std::move(signals));
    scrub_ = tenants_scrub(tenants_);
    auto gateway = start_gateway(gateway_options(std::move(tls)), gateway_identity(), *std::move(listeners), options_.threads);
    if (!gateway) return gateway.error();
    gateway_.emplace(*std::move(gateway));
    auto sink = open_audit(options_.audit, clock_, scrub_.scrub);
    if (!sink) return sink.error();
    sink_ = *std::move(sink);
    link_.emplace(std::move(gateway_->channels), *sink_);
    return link_->await_ready(kReadyTimeout);
  }

  proxy::GatewayOptions gateway_options(SessionTls tls) {
    proxy::GatewayOptions made{policy(), options_.pins, route_of(options_.upstream), std::move(tls.ca), std::move(tls.ca_bundle), tenants_.front().dlp};
    made.credentials = std::move(tenants_.front().held.values);
    made.tenants = tenant_options(tenants_);
    auto allowed = options_.allow_clients;
    for (auto const& tenant : tenants_) allowed.insert(allowed.end(), tenant.clients.begin(), tenant.clients.end());
    made.clients = {std::move(allowed), options_.max_connections, options_.max_connections_per_client, options_.balancers, options_.balancers_on_unix};
    made.timeouts = options_.timeouts;
    return made;
  }

  Result<void> prepare_reload() {
    auto watch = PolicyWatch::make(clock_);
    if (!watch) return watch.error();
    watch_.emplace(*std::move(watch));
    auto say = [this](std::string const& line) { report_reload(line); };
    auto watch_files = [this](std::vector<std::string> const& files) { watch_->add(files); };
    for (auto const& tenant : tenants_) {
      watch_->add(tenant.loaded.files);
      reloaders_.emplace_back(tenant.sources, authority_, tenant.loaded.policy->digest, ReloaderParts{tenant.name, *link_, *sink_, say, watch_files, tenant.held.declared});
    }
    return {};
  }

  void refresh_credentials() {
    for (auto const& line : pass_on_changes(tenants_.front().held.refresh, scrub_, *link_)) tell(line);
  }

  void report_reload(std::string const& line) {
    tell(line);
    manager_.ready(line.substr(0, line.find('\n')));
  }

  void tell(std::string const& line) const {
    std::fprintf(console_.out, "sallyport: %s\n", line.c_str());
    std::fflush(console_.out);
  }

  /// "127.0.0.1:3128, unix:/run/ci.sock (tenant ci)"
  static std::string places_of(proxy::ListenerFds const& listeners) {
    std::string text;
    auto add = [&text](std::vector<UniqueFd> const& group, std::string const& whose) {
      for (auto const& listener : group) text += (text.empty() ? "" : ", ") + place_of(listener) + whose;
    };
    add(listeners.explicit_proxy, "");
    add(listeners.sni, "");
    for (auto const& tenant : listeners.tenants) {
      auto const whose = " (tenant " + tenant.tenant + ")";
      add(tenant.explicit_proxy, whose);
      add(tenant.sni, whose);
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
  std::vector<ProxyTenant> tenants_;
  LearningScrub scrub_;
  Authority authority_ = Authority::none;
  SocketFiles files_;
  std::string places_;  // of the listeners
  std::optional<UniqueFd> signals_;
  std::optional<GatewayProcess> gateway_;
  std::unique_ptr<audit::FileSink> sink_;
  std::optional<jail::GatewayLink> link_;
  std::optional<PolicyWatch> watch_;
  std::deque<PolicyReloader> reloaders_;
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
