// `sallyport proxy`: the options; run_proxy_session does the rest.

#include "cli/command.hpp"
#include "cli/proxy_session.hpp"
#include "cli/session_options.hpp"
#include "policies/duration.hpp"
#include "proxy/gateway.hpp"

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace sallyport::cli {
namespace {

/// A repeatable option of blocks of addresses.
void declare_blocks(CLI::App& proxy, char const* name, std::vector<policies::Cidr>& to, char const* help) {
  auto store = [&to](policies::Cidr block) { to.push_back(block); };
  proxy.add_option(name, parsed(name, policies::Cidr::parse, store), help)
      ->allow_extra_args(false)
      ->type_name("CIDR")
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
}

/// "unix" is no block.
void declare_balancers(CLI::App& proxy, ProxyOptions& options) {
  static constexpr char kName[] = "--proxy-protocol";  // parsed() keeps it
  auto store = [&options](std::optional<policies::Cidr> block) {
    if (block) options.balancers.push_back(*block);
    if (!block) options.balancers_on_unix = true;
  };
  auto parse = [](std::string const& text) -> Result<std::optional<policies::Cidr>> {
    if (text == "unix") return std::optional<policies::Cidr>();
    auto const block = policies::Cidr::parse(text);
    if (!block) return block.error();
    return std::optional(*block);
  };
  proxy.add_option(kName, parsed(kName, parse, store), "CIDR of load balancers, or unix for those at Unix listeners: connections begin with a PROXY v2 header; may be repeated")
      ->allow_extra_args(false)
      ->type_name("CIDR")
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
}

void declare_clients(CLI::App& proxy, ProxyOptions& options) {
  declare_blocks(proxy, "--allow-clients", options.allow_clients, "CIDR of clients that may connect, besides this machine; may be repeated");
  declare_balancers(proxy, options);
  proxy.add_option("--max-connections", options.max_connections, "Connections of all clients together")
      ->check(at_least_one())
      ->capture_default_str();
  proxy.add_option("--max-connections-per-client", options.max_connections_per_client, "Connections of one source address")
      ->check(at_least_one())
      ->capture_default_str();
}

void declare_time(CLI::App& proxy, char const* name, std::chrono::milliseconds& to, char const* help) {
  auto store = [&to](std::chrono::milliseconds value) { to = value; };
  proxy.add_option(name, parsed(name, policies::parse_duration, store), help)->type_name("TIME");
}

/// As many as processors this process may use.
std::size_t usual_threads() {
  auto const processors = static_cast<std::size_t>(std::thread::hardware_concurrency());
  return std::clamp(processors, std::size_t{1}, proxy::kMaxWorkers);
}

void declare_threads(CLI::App& proxy, ProxyOptions& options) {
  options.threads = usual_threads();
  proxy.add_option("--threads", options.threads, "Threads that serve clients; default: as many as processors")
      ->check(CLI::Range(std::size_t{1}, proxy::kMaxWorkers))
      ->type_name("N");
}

void declare_times(CLI::App& proxy, ProxyOptions& options) {
  auto& timeouts = options.timeouts;
  declare_time(proxy, "--head-timeout", timeouts.head, "For a request head or ClientHello, from its first byte: 500ms, 30s, 5m; default 30s");
  declare_time(proxy, "--keep-alive-timeout", timeouts.keep_alive, "Between the requests of a connection; default 60s");
  declare_time(proxy, "--idle-timeout", timeouts.idle, "For a tunnel or an exchange in which nothing moves; default 10m");
  declare_time(proxy, "--drain", options.drain, "What live connections get after SIGTERM; default 10s");
}

}  // namespace

void declare_proxy(CLI::App& app, Chosen& chosen) {
  auto options = std::make_shared<ProxyOptions>();
  auto* proxy = app.add_subcommand("proxy", "Run the gateway alone, for clients that are pointed at it");
  repeatable(*proxy, "--policy", options->policies, "Preset name or policy file; may be repeated");
  repeatable(*proxy, "--allow", options->allow, "HOST[:PORT] to allow as well; may be repeated");
  proxy->add_option("--tenants", options->tenants, "File that gives listeners or client addresses policies of their own")->type_name("FILE");
  repeatable(*proxy, "--listen", options->listen, "ADDRESS:PORT or unix:PATH for CONNECT, HTTP and SOCKS5; may be repeated");
  repeatable(*proxy, "--listen-tls", options->listen_tls,
             "ADDRESS:PORT or unix:PATH for TLS to port 443 of the name in its ClientHello; may be repeated");
  proxy->add_option("--metrics", options->metrics, "ADDRESS:PORT or unix:PATH for /metrics, /healthz and /readyz")->type_name("PLACE");
  declare_clients(*proxy, *options);
  declare_times(*proxy, *options);
  declare_threads(*proxy, *options);
  proxy->add_option("--audit", options->audit, "Audit log file (default: below $XDG_STATE_HOME/sallyport/audit)");
  declare_pins(*proxy, options->pins);
  declare_placeholders(*proxy, options->placeholders);
  declare_upstream(*proxy, options->upstream);
  declare_ca_bundles(*proxy, options->ca_bundles);
  proxy->add_option("--ca-out", options->ca_out, "Writes the certificate that clients have to trust where TLS is inspected")
      ->type_name("FILE");
  proxy->footer("Ends on SIGTERM and SIGINT. Reloads its policy on SIGHUP, and when a policy file changes.");
  proxy->callback([&chosen, options] { chosen = [options](Console const& c) { return run_proxy_session(*options, c); }; });
}

}  // namespace sallyport::cli
