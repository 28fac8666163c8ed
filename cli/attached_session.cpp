#include "cli/attached_session.hpp"

#include "audit/file_sink.hpp"
#include "base/clock.hpp"
#include "base/defer.hpp"
#include "cli/audit_file.hpp"
#include "cli/audit_summary.hpp"
#include "cli/exit_status.hpp"
#include "cli/gateway_process.hpp"
#include "cli/held_credentials.hpp"
#include "cli/identity.hpp"
#include "cli/policy_sources.hpp"
#include "cli/secret_scrub.hpp"
#include "cli/serve.hpp"
#include "cli/session_dlp.hpp"
#include "cli/session_records.hpp"
#include "cli/session_tls.hpp"
#include "jail/attached_network.hpp"
#include "jail/container_commands.hpp"
#include "jail/environment.hpp"
#include "jail/process_facts.hpp"
#include "policies/yaml_loader.hpp"

#include <fcntl.h>
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

/// For the container to read.
Result<void> write_public(std::string const& what, std::string const& path, std::string const& text) {
  auto fd = UniqueFd::adopt(::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0644), what + " '" + path + "'");
  if (!fd) return fd.error();
  if (::write(fd->get(), text.data(), text.size()) != static_cast<ssize_t>(text.size())) return Error::os(errno, what + " '" + path + "'");
  return {};
}

Result<void> write_env_file(std::string const& path) {
  if (path.empty()) return {};
  std::string text;
  for (auto const& [name, value] : jail::proxy_variables(jail::kAttachPorts.explicit_proxy)) text += name + "=" + value + "\n";
  return write_public("--env-file", path, text);
}

void end_process(pid_t pid) {
  ::kill(pid, SIGKILL);
  ::waitpid(pid, nullptr, 0);
}

class AttachedSession {
 public:
  AttachedSession(AttachOptions const& options, jail::AttachTarget target, Console const& console)
      : options_(options), target_(std::move(target)), console_(console), began_(clock_.now()) {}
  AttachedSession(AttachedSession const&) = delete;
  AttachedSession& operator=(AttachedSession const&) = delete;
  ~AttachedSession() {
    if (network_) jail::detach_network(*std::move(network_));
    if (gateway_) end_process(gateway_->pid);
  }

  /// Everything stands, or nothing does.
  Result<void> start(Powerless powerless) {
    auto policy = policies::load_policy(policy_sources(console_, options_.policies, options_.allow));
    if (!policy) return policy.error();
    if (powerless == Powerless::check_processes) {
      if (auto held = jail::check_powerless(target_); !held) return held;
    }
    auto tls = prepare_tls(**policy, options_.ca_bundles);
    if (!tls) return tls.error();
    if (auto written = hand_out_certificate(*tls, options_.ca_out); !written) return written;
    if (auto started = start_parts(*policy, *std::move(tls)); !started) return started;
    if (auto written = write_start(**policy); !written) return written;
    return write_env_file(options_.env_file);
  }

  Result<std::string> serve_until_end() {
    jail::CommandTable const none([](pid_t) { return std::optional<pid_t>{}; });
    auto const id = target_.id;
    jail::ProcessFacts facts(jail::SocketOwner(std::move(network_->socket_diag), [id] { return jail::processes_in(id); }),
                             commands_ ? commands_->table() : none, clock_);
    std::optional<int> life;
    if (target_.life) life = target_.life->get();
    // An exec is on record before what it sends is. (An error stays with the sink, and ends the session.)
    auto const identify = [this, &facts](audit::Flow const& flow) {
      if (commands_) (void)commands_->settle();
      return facts.of_flow(flow);
    };
    auto cause = serve({*link_, *sink_, clock_, identify, signals_->get(), life, watched_commands(), [this] { refresh_credentials(); }});
    if (commands_ && cause) (void)commands_->settle();
    if (auto ended = write_end(cause ? *cause : "audit_failed"); !ended && cause) return ended.error();
    return cause;
  }

  audit::FileSink const& sink() const { return *sink_; }

 private:
  /// The commands of the container are recorded where the kernel reports them, and else the record says that they are not.
  Result<void> write_start(policies::Policy const& policy) {
    if (auto events = jail::ProcessEvents::subscribe()) commands_.emplace(*std::move(events), target_.id, *sink_, clock_);
    auto const how = commands_ ? CommandAudit::after_the_fact : CommandAudit::unavailable;
    auto const seq = sink_->append(routed(attach_start(policy, options_.asked, how), route_of(options_.upstream).get()));
    if (!seq) return seq.error();
    return commands_ ? commands_->record_running() : sink_->commit();
  }

  void refresh_credentials() {
    for (auto const& line : pass_on_changes(*refresh_, scrub_, *link_)) std::fprintf(console_.err, "sallyport: %s\n", line.c_str());
  }

  std::optional<Watched> watched_commands() {
    if (!commands_) return std::nullopt;
    return Watched{commands_->descriptor(), [this] { return commands_->settle(); }};
  }

  /// The audit log is opened last: neither child may inherit its key.
  Result<void> start_parts(PolicyPointer const& policy, SessionTls tls) {
    auto signals = termination_descriptor();
    if (!signals) return signals.error();
    signals_.emplace(*std::move(signals));
    std::array<int, 2> pair{};
    if (::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair.data()) < 0) return Error::os(errno, "socketpair");
    auto from_container = UniqueFd::adopt(pair[0], "socketpair");
    auto to_gateway = UniqueFd::adopt(pair[1], "socketpair");
    auto network = jail::attach_network(target_, to_gateway->get());
    if (!network) return network.error();
    network_.emplace(*std::move(network));
    auto environment = jail::read_environment(environ);
    auto held = read_held(*policy, options_.placeholders, "attach", environment, environ, clock_);
    if (!held) return held.error();
    refresh_.emplace(std::move(held->refresh));
    auto dlp = prepare_dlp(*policy, environment, {}, held->values);
    if (!dlp) return dlp.error();
    scrub_ = learning_scrub(policy->dlp, *dlp);
    auto gateway = start_gateway({policy, options_.pins, route_of(options_.upstream), std::move(tls.ca), std::move(tls.ca_bundle), *dlp, std::move(held->values)},
                                 gateway_identity(), *std::move(from_container));
    if (!gateway) return gateway.error();
    gateway_.emplace(*std::move(gateway));
    auto sink = open_audit(options_.audit, clock_, scrub_.scrub);
    if (!sink) return sink.error();
    sink_ = *std::move(sink);
    link_.emplace(std::move(gateway_->channels), *sink_);
    return link_->await_ready(kReadyTimeout);
  }

  Result<void> write_end(std::string cause) {
    audit::SessionEnd end;
    end.cause = std::move(cause);
    end.duration_us = static_cast<std::uint64_t>(std::chrono::duration_cast<std::chrono::microseconds>(clock_.now() - began_).count());
    if (auto seq = sink_->append(end); !seq) return seq.error();
    return sink_->commit();
  }

  AttachOptions const& options_;
  jail::AttachTarget target_;
  Console const& console_;
  SystemClock const clock_;
  std::chrono::steady_clock::time_point const began_;
  std::optional<CredentialRefresh> refresh_;
  LearningScrub scrub_;
  std::optional<UniqueFd> signals_;
  std::optional<jail::AttachedNetwork> network_;
  std::optional<GatewayProcess> gateway_;
  std::unique_ptr<audit::FileSink> sink_;
  std::optional<jail::ContainerCommands> commands_;
  std::optional<jail::GatewayLink> link_;
};

}  // namespace

int run_attached_session(AttachOptions const& options, jail::AttachTarget target, Powerless powerless, Console& console, Ready const& ready) {
  AttachedSession session(options, std::move(target), console);
  if (auto started = session.start(powerless); !started) {
    std::fprintf(console.err, "sallyport: %s\n", started.error().what.c_str());
    return kNotSetUp;
  }
  ready(session.sink().path());
  auto const cause = session.serve_until_end();
  if (auto const line = refusal_line(session.sink().tally(), session.sink().path())) std::fprintf(console.err, "sallyport: %s\n", line->c_str());
  if (cause && *cause != "gateway_lost") return 0;
  std::fprintf(console.err, "sallyport: %s; the container has no network any more\n", cause ? "the gateway ended" : cause.error().what.c_str());
  return kNotSetUp;
}

}  // namespace sallyport::cli
