#include "cli/run_session.hpp"

#include "audit/file_sink.hpp"
#include "base/clock.hpp"
#include "audit/places.hpp"
#include "base/wipe.hpp"
#include "cli/audit_file.hpp"
#include "cli/audit_summary.hpp"
#include "cli/canaries.hpp"
#include "cli/credential_refresh.hpp"
#include "cli/credentials.hpp"
#include "cli/exit_status.hpp"
#include "cli/gateway_process.hpp"
#include "cli/held_credentials.hpp"
#include "cli/identity.hpp"
#include "cli/policy_sources.hpp"
#include "cli/sealed_file.hpp"
#include "cli/secret_scrub.hpp"
#include "cli/session_dlp.hpp"
#include "cli/session_records.hpp"
#include "cli/session_tls.hpp"
#include "jail/launch.hpp"
#include "jail/planner.hpp"
#include "jail/supervisor.hpp"
#include "policies/yaml_loader.hpp"

#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <filesystem>
#include <memory>
#include <string_view>
#include <utility>

namespace sallyport::cli {
namespace fs = std::filesystem;
namespace {

using PolicyPointer = std::shared_ptr<policies::Policy const>;

constexpr std::chrono::seconds kReadyTimeout{20};

/// What is fixed before anything starts.
struct Prepared {
  PolicyPointer policy;
  std::shared_ptr<policies::UpstreamRoute const> route;  // null: no upstream proxy
  jail::Plan plan;
  std::string workspace;
  SessionTls tls;
  std::vector<proxy::BrokeredCredential> credentials;
  proxy::DlpOptions dlp;
  LearningScrub scrub;  // of the audit log
  CredentialRefresh refresh;
  std::vector<UniqueFd> mounts;  // held open until the jail has them
};

Result<std::string> canonical(std::string const& path, char const* what) {
  std::error_code ec;
  auto const out = fs::canonical(path, ec);
  if (ec) return Error{Code::invalid, 0, std::string(what) + " '" + path + "': " + ec.message()};
  if (!fs::is_directory(out, ec)) return Error{Code::invalid, 0, std::string(what) + " '" + path + "' is not a directory"};
  return out.string();
}

bool is_within(std::string const& inner, std::string const& outer) {
  return inner == outer || inner.starts_with(outer == "/" ? outer : outer + "/");
}

Result<jail::PlanRequest> make_request(RunOptions const& options, jail::Identity const& identity, std::string const& workspace) {
  jail::PlanRequest request;
  request.command = options.command;
  request.workspace = workspace;
  auto cwd = canonical(".", "the working directory");
  if (!cwd) return cwd.error();
  request.cwd = is_within(*cwd, workspace) ? *cwd : workspace;
  request.environment = jail::read_environment(environ);
  auto const home = request.environment.find("HOME");
  if (home == request.environment.end() || !home->second.starts_with('/') || home->second == "/")
    return Error{Code::invalid, 0, "HOME is not set to an absolute path: the jail could not hide it"};
  request.home = fs::path(home->second).lexically_normal().string();
  request.identity = identity;
  request.timeout = options.timeout;
  return request;
}

/// Says so when nobody chose a policy.
void note_default(RunOptions const& options, policies::Policy const& policy, Console const& console) {
  if (!options.policies.empty() || !options.allow.empty() || policy.name != "none") return;
  std::fputs("sallyport: no policy given: preset 'none', no network (sallyport policy list names the others)\n", console.err);
}

/// The audit log and its key stay outside of what the jail sees.
Result<void> check_audit_hidden(std::string const& workspace, policies::Filesystem const& filesystem) {
  auto const places = audit::default_places();
  if (!places) return places.error();
  std::vector<std::string> visible{workspace};
  visible.insert(visible.end(), filesystem.read.begin(), filesystem.read.end());
  visible.insert(visible.end(), filesystem.write.begin(), filesystem.write.end());
  for (auto const& path : visible) {
    for (auto const& place : {places->log_dir, places->key_dir})
      if (is_within(place, path))
        return Error{Code::invalid, 0, "'" + path + "' would show the jail the audit log's place " + place +
                                           "; choose another --workspace or path, or set XDG_STATE_HOME"};
  }
  return {};
}

Result<Prepared> prepare(RunOptions const& options, Console const& console, Clock const& clock) {
  auto policy = policies::load_policy(policy_sources(console, options.policies, options.allow));
  if (!policy) return policy.error();
  note_default(options, **policy, console);
  auto tls = prepare_tls(**policy, options.ca_bundles);
  if (!tls) return tls.error();
  auto workspace = canonical(options.workspace.empty() ? "." : options.workspace, "workspace");
  if (!workspace) return workspace.error();
  auto choice = choose_identity(*workspace, options.as);
  if (!choice) return choice.error();
  auto request = make_request(options, choice->identity, *workspace);
  if (!request) return request.error();
  if (tls->ca) request->authority = tls->ca->certificate;
  CredentialRefresh refresh(**policy, clock);
  auto credentials = read_credentials(**policy, request->environment);
  if (!credentials) return credentials.error();
  auto canaries = make_canaries(**policy);
  if (!canaries) return canaries.error();
  auto dlp = prepare_dlp(**policy, request->environment, *workspace, *credentials, canaries->values);
  if (!dlp) return dlp.error();
  wipe_sources(**policy, request->environment, environ);
  request->planted = placeholders_of(*credentials);
  request->planted.merge(canaries->environment);
  request->home_files = placeholder_files(**policy, *credentials);
  for (auto const& [path, text] : canaries->files) request->home_files[path] += text;
  auto plan = jail::make_plan(*request, **policy);
  if (!plan) return plan.error();
  if (auto hidden = check_audit_hidden(*workspace, (*policy)->filesystem); !hidden) return hidden.error();
  auto scrub = learning_scrub((*policy)->dlp, *dlp);
  Prepared prepared{*std::move(policy), route_of(options.upstream), *std::move(plan),        *std::move(workspace), *std::move(tls),
                    *std::move(credentials), *std::move(dlp),       std::move(scrub), std::move(refresh), {}};
  if (!choice->identity.changed) return prepared;
  auto mounts = jail::prepare_mounts(prepared.plan, prepared.workspace, choice->workspace);
  if (!mounts) return mounts.error();
  prepared.mounts = *std::move(mounts);
  return prepared;
}

/// The running parts. The audit log is opened last: neither the jail nor the gateway may inherit its key.
struct Running {
  jail::Jail jail;
  GatewayProcess gateway;
  std::unique_ptr<audit::FileSink> sink;
};

void reap(pid_t pid) {
  ::kill(pid, SIGKILL);
  ::waitpid(pid, nullptr, 0);
}

Result<Running> start(RunOptions const& options, Prepared& prepared, Console const& console, Clock const& clock) {
  std::array<int, 2> pair{};
  if (::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair.data()) < 0) return Error::os(errno, "socketpair");
  auto from_jail = UniqueFd::adopt(pair[0], "socketpair");
  auto to_gateway = UniqueFd::adopt(pair[1], "socketpair");
  if (!from_jail || !to_gateway) return Error{Code::os, 0, "socketpair"};
  sigset_t const blocked = jail::forwarded_signals();
  jail::LaunchOptions launch_options;
  launch_options.sockets_fd = to_gateway->get();
  launch_options.command_line = console.command_line;
  ::sigprocmask(SIG_BLOCK, &blocked, &launch_options.signal_mask);

  auto jail = jail::launch(prepared.plan, launch_options);
  if (!jail) return jail.error();
  proxy::GatewayOptions gateway_options{prepared.policy, options.pins, prepared.route, std::move(prepared.tls.ca), std::move(prepared.tls.ca_bundle),
                                        std::move(prepared.dlp), std::move(prepared.credentials)};
  auto gateway = start_gateway(std::move(gateway_options), prepared.plan.identity, *std::move(from_jail));
  if (!gateway) {
    jail::destroy(*jail);
    return gateway.error();
  }
  auto sink = open_audit(options.audit, clock, prepared.scrub.scrub);
  if (!sink) {
    jail::destroy(*jail);
    reap(gateway->pid);
    return sink.error();
  }
  return Running{*std::move(jail), *std::move(gateway), *std::move(sink)};
}

void print_error(Console const& console, std::string const& text) { std::fprintf(console.err, "sallyport: %s\n", text.c_str()); }

/// Everything between "the processes exist" and "the command has ended".
Result<jail::ExitReport> supervise(Prepared& prepared, Running& running, Console const& console, Clock const& clock) {
  // While the jail's process makes its namespaces there is time for it.
  if (auto ready = running.sink->prepare_to_sign(); !ready) return ready.error();
  auto handover = jail::await_setup(running.jail, prepared.plan);
  if (!handover) return handover.error();
  jail::GatewayLink link(std::move(running.gateway.channels), *running.sink);
  if (auto ready = link.await_ready(kReadyTimeout); !ready) return ready.error();
  if (auto seq = running.sink->append(routed(run_start(*prepared.policy, prepared.plan, prepared.workspace), prepared.route.get())); !seq) return seq.error();
  if (auto written = running.sink->commit(); !written) return written.error();
  auto const refresh = [&] {
    for (auto const& line : pass_on_changes(prepared.refresh, prepared.scrub, link)) print_error(console, line);
  };
  auto supervisor = jail::Supervisor::make({prepared.plan, running.jail, *std::move(handover), link, *running.sink, clock, refresh}, prepared.plan.timeout);
  if (!supervisor) return supervisor.error();
  if (auto started = jail::start_command(running.jail); !started) return started.error();
  return (*supervisor)->run();
}

Result<void> write_end(Running& running, jail::ExitReport const& report, std::chrono::steady_clock::duration took) {
  audit::SessionEnd event = session_end(report);
  event.duration_us = static_cast<std::uint64_t>(std::chrono::duration_cast<std::chrono::microseconds>(took).count());
  if (auto seq = running.sink->append(event); !seq) return seq.error();
  return running.sink->commit();
}

}  // namespace

int run_session(RunOptions const& options, Console const& console) {
  SystemClock const clock;
  auto const began = clock.now();
  auto prepared = prepare(options, console, clock);
  if (!prepared) {
    print_error(console, prepared.error().what);
    return kNotSetUp;
  }
  auto running = start(options, *prepared, console, clock);
  if (!running) {
    print_error(console, running.error().what);
    return kNotSetUp;
  }
  auto outcome = supervise(*prepared, *running, console, clock);
  if (!outcome) jail::destroy(running->jail);
  jail::ExitReport const report = outcome ? *outcome : jail::ExitReport(jail::Broken{outcome.error(), "setup_failed"});
  reap(running->gateway.pid);
  auto const written = write_end(*running, report, clock.now() - began);
  if (auto const* broken = std::get_if<jail::Broken>(&report)) print_error(console, broken->error.what);
  if (auto const* missing = std::get_if<jail::NotStarted>(&report)) print_error(console, not_started_text(options.command.front(), missing->error));
  if (!written && !std::holds_alternative<jail::Broken>(report)) print_error(console, written.error().what);
  if (auto const line = refusal_line(running->sink->tally(), running->sink->path())) print_error(console, *line);
  return written ? exit_status(report) : kNotSetUp;
}

}  // namespace sallyport::cli
