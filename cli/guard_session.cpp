#include "cli/guard_session.hpp"

#include "audit/file_sink.hpp"
#include "base/clock.hpp"
#include "cli/audit_file.hpp"
#include "cli/audit_summary.hpp"
#include "cli/child_process.hpp"
#include "cli/exit_status.hpp"
#include "cli/gateway_process.hpp"
#include "cli/held_credentials.hpp"
#include "cli/guard_lock.hpp"
#include "cli/identity.hpp"
#include "cli/policy_sources.hpp"
#include "cli/serve.hpp"
#include "cli/secret_scrub.hpp"
#include "cli/session_dlp.hpp"
#include "cli/session_records.hpp"
#include "cli/session_tls.hpp"
#include "cli/spelt_out_names.hpp"
#include "jail/attach_target.hpp"
#include "jail/environment.hpp"
#include "jail/guard_network.hpp"
#include "jail/process_facts.hpp"
#include "policies/yaml_loader.hpp"
#include "proxy/unresolved_names.hpp"

#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <utility>

namespace sallyport::cli {
namespace {

using PolicyPointer = std::shared_ptr<policies::Policy const>;

constexpr std::chrono::seconds kReadyTimeout{20};
constexpr std::chrono::seconds kLookupPatience{2};  // who started it with --detach waits for it
constexpr char kHostsPath[] = "/etc/hosts";

/// A name that the policy allows and that is spelt out; empty if there is none.
std::string canary(policies::Policy const& policy) {
  for (auto const& rule : policy.rules) {
    if (rule->action != policies::Action::allow) continue;
    for (auto const& host : rule->hosts)
      if (host.find_first_not_of("0123456789.:*") != std::string::npos && host.find('*') == std::string::npos) return host;
  }
  return "";
}

class GuardSession {
 public:
  GuardSession(GuardOptions const& options, Console const& console, Guarding const& guarding)
      : options_(options), console_(console), guarding_(guarding) {}
  GuardSession(GuardSession const&) = delete;
  GuardSession& operator=(GuardSession const&) = delete;
  ~GuardSession() {
    if (gateway_) {
      ::kill(gateway_->pid, SIGKILL);
      ::waitpid(gateway_->pid, nullptr, 0);
    }
  }

  Result<int> run() {
    auto identity = choose_gateway();
    if (!identity) return identity.error();
    auto policy = policies::load_policy(policy_sources(console_, options_.policies, options_.allow));
    auto lock = take_guard_lock(kGuardLock, policy ? (*policy)->digest : "none");
    if (!lock) return lock.error();
    if (!*lock) {
      std::fputs("sallyport: a guard with this policy runs already\n", console_.err);
      return 0;
    }
    // Closed before anything else can fail.
    if (auto closed = jail::close_guarded_network(identity->uid); !closed) return closed.error();
    if (!policy) return policy.error();
    if (auto started = start(*policy, *identity); !started) return started.error();
    if (auto tested = self_test(canary(**policy)); !tested) return tested.error();
    return serve_command();
  }

 private:
  Result<jail::Identity> choose_gateway() const {
    if (::geteuid() != 0) return Error{Code::invalid, 0, "guard needs root in the container, with the capability NET_ADMIN"};
    if (options_.as.empty()) return jail::Identity{kNobodysUser, kNobodysUser, true};
    auto choice = choose_identity("/", options_.as);
    if (!choice) return choice.error();
    return choice->identity;
  }

  /// The audit log is opened last: the gateway must not inherit its key.
  Result<void> start(PolicyPointer const& policy, jail::Identity const& identity) {
    if (auto begun = look_names_up(*policy, identity); !begun) return begun;  // before there is a secret in memory
    auto tls = prepare_tls(*policy, options_.ca_bundles);
    if (!tls) return tls.error();
    if (auto handed = hand_out_certificate(*tls, options_.ca_out); !handed) return handed;
    auto signals = termination_descriptor();
    if (!signals) return signals.error();
    signals_.emplace(*std::move(signals));
    std::array<int, 2> pair{};
    if (::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair.data()) < 0) return Error::os(errno, "socketpair");
    auto gateways = UniqueFd::adopt(pair[0], "socketpair");
    auto ours = UniqueFd::adopt(pair[1], "socketpair");
    auto diag = jail::open_guarded_sockets(ours->get());
    if (!diag) return diag.error();
    auto environment = jail::read_environment(environ);
    auto held = read_held(*policy, options_.placeholders, "guard", environment, environ, clock_);
    if (!held) return held.error();
    refresh_.emplace(std::move(held->refresh));
    auto dlp = prepare_dlp(*policy, environment, {}, held->values);
    if (!dlp) return dlp.error();
    scrub_ = learning_scrub(policy->dlp, *dlp);
    auto gateway = start_gateway({policy, options_.pins, route_of(options_.upstream), std::move(tls->ca), std::move(tls->ca_bundle), *dlp, std::move(held->values)},
                                 identity, *std::move(gateways));
    if (!gateway) return gateway.error();
    gateway_.emplace(*std::move(gateway));
    if (auto given_up = jail::give_up_network_power(); !given_up) return given_up;
    auto sink = open_audit(options_.audit, clock_, scrub_.scrub);
    if (!sink) return sink.error();
    sink_ = *std::move(sink);
    link_.emplace(std::move(gateway_->channels), *sink_);
    if (auto ready = link_->await_ready(kReadyTimeout); !ready) return ready;
    auto const network = jail::namespace_id("/proc/self/ns/net").value_or(jail::NamespaceId{});
    facts_.emplace(jail::SocketOwner(*std::move(diag), [network] { return jail::processes_in(network); }), commands_, clock_);
    if (auto seq = sink_->append(routed(guard_start(*policy, identity.uid, options_.command), route_of(options_.upstream).get())); !seq) return seq.error();
    return sink_->commit();
  }

  /// As the gateway's user, who alone gets through, in a child that says on its own what does not resolve: the session does not wait.
  Result<void> look_names_up(policies::Policy const& policy, jail::Identity const& identity) {
    auto const names = spelt_out_names(policy, options_.pins);
    auto const route = route_of(options_.upstream);
    if (names.empty() || (route && route->proxy.looks_up_names)) return {};
    auto child = fork_child([&, guard = ::getpid()] {
      if (!become(identity) || !die_with(guard)) return 1;
      auto const missing = proxy::unresolved_names(names, proxy::HostsFile::load(kHostsPath), kLookupPatience);
      if (missing && !missing->empty()) std::fprintf(console_.err, "sallyport: %s\n", unresolved_line(*missing, names.size()).c_str());
      return std::fflush(console_.err);
    });
    if (!child) return child.error();
    lookups_.emplace(*std::move(child));
    return {};
  }

  void refresh_credentials() {
    for (auto const& line : pass_on_changes(*refresh_, scrub_, *link_)) std::fprintf(console_.err, "sallyport: %s\n", line.c_str());
  }

  std::optional<audit::Process> identify(audit::Flow const& flow) { return facts_->of_flow(flow); }

  /// In a child, while the gateway's records are written here.
  Result<void> self_test(std::string const& allowed) {
    auto test = fork_child([&, guard = ::getpid()] {
      if (!die_with(guard)) return 1;
      auto const tested = jail::test_guarded_network(allowed.c_str());
      if (!tested) std::fprintf(console_.err, "sallyport: %s\n", tested.error().what.c_str());
      std::fflush(console_.err);
      return tested ? 0 : 1;
    });
    if (!test) return test.error();
    for (;;) {
      std::array<pollfd, 2> waiting{{{link_->descriptor(), POLLIN, 0}, {test->life.get(), POLLIN, 0}}};
      if (::poll(waiting.data(), waiting.size(), -1) < 0 && errno != EINTR) return Error::os(errno, "poll");
      if (waiting[0].revents != 0) {
        auto const state = link_->handle_messages([this](audit::Flow const& flow) { return identify(flow); });
        if (!state) return state.error();
        if (*state == jail::GatewayLink::State::closed) return Error{Code::closed, 0, "the gateway ended"};
      }
      if (waiting[1].revents == 0) continue;
      if (wait_for(test->pid) == 0) return {};
      return Error{Code::denied, 0, "the self-test failed; the network stays closed"};
    }
  }

  int execute() const {
    sigset_t none;
    sigemptyset(&none);
    ::sigprocmask(SIG_SETMASK, &none, nullptr);
    for (auto const& [name, text] : options_.placeholders) ::setenv(name.c_str(), text.c_str(), 1);
    std::vector<char*> argv;
    for (auto const& word : options_.command) argv.push_back(const_cast<char*>(word.c_str()));  // execvp(3) takes char*, changes nothing
    argv.push_back(nullptr);
    ::execvp(argv[0], argv.data());
    std::fprintf(console_.err, "sallyport: %s\n", not_started_text(options_.command.front(), errno).c_str());
    std::fflush(console_.err);
    return errno == ENOENT ? kNotFound : kNotExecutable;
  }

  Result<int> serve_command() {
    std::optional<ChildProcess> command;
    if (!options_.command.empty()) {
      auto forked = fork_child([this] { return execute(); });
      if (!forked) return forked.error();
      command.emplace(*std::move(forked));
    } else {
      guarding_(sink_->path());
    }
    std::optional<int> const life = command ? std::optional(command->life.get()) : std::nullopt;
    auto cause = serve({*link_, *sink_, clock_, [this](audit::Flow const& flow) { return identify(flow); }, signals_->get(), life, {},
                        [this] { refresh_credentials(); }});
    if (command && (!cause || *cause != "container_ended")) ::kill(command->pid, SIGTERM);
    int const status = command ? wait_for(command->pid) : 0;
    audit::SessionEnd end;
    end.cause = !cause ? "audit_failed" : *cause == "container_ended" ? "exited" : *cause;
    if (command) end.exit_code = status;
    if (auto seq = sink_->append(end); !seq) return seq.error();
    if (auto written = sink_->commit(); !written) return written.error();
    if (!cause) return cause.error();
    if (*cause == "gateway_lost") return Error{Code::closed, 0, "the gateway ended; the network stays closed"};
    if (auto const line = refusal_line(sink_->tally(), sink_->path())) std::fprintf(console_.err, "sallyport: %s\n", line->c_str());
    return status;
  }

  GuardOptions const& options_;
  Console const& console_;
  Guarding const& guarding_;
  SystemClock const clock_;
  jail::CommandTable const commands_{[](pid_t) { return std::optional<pid_t>{}; }};
  std::optional<CredentialRefresh> refresh_;
  LearningScrub scrub_;
  std::optional<UniqueFd> signals_;
  std::optional<GatewayProcess> gateway_;
  std::optional<ChildProcess> lookups_;
  std::unique_ptr<audit::FileSink> sink_;
  std::optional<jail::GatewayLink> link_;
  std::optional<jail::ProcessFacts> facts_;
};

}  // namespace

int run_guard_session(GuardOptions const& options, Console const& console, Guarding const& guarding) {
  GuardSession session(options, console, guarding);
  auto const status = session.run();
  if (status) return *status;
  std::fprintf(console.err, "sallyport: %s\n", status.error().what.c_str());
  return kNotSetUp;
}

}  // namespace sallyport::cli
