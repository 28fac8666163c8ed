// `sallyport proxy`: the options; run_proxy_session does the rest.

#include "cli/command.hpp"
#include "cli/proxy_session.hpp"
#include "cli/session_options.hpp"

#include <memory>

namespace sallyport::cli {

void declare_proxy(CLI::App& app, Chosen& chosen) {
  auto options = std::make_shared<ProxyOptions>();
  auto* proxy = app.add_subcommand("proxy", "Run the gateway alone, for clients that are pointed at it");
  repeatable(*proxy, "--policy", options->policies, "Preset name or policy file; may be repeated");
  repeatable(*proxy, "--allow", options->allow, "HOST[:PORT] to allow as well; may be repeated");
  repeatable(*proxy, "--listen", options->listen, "ADDRESS:PORT for CONNECT, HTTP and SOCKS5; may be repeated")->required();
  proxy->add_option("--audit", options->audit, "Audit log file (default: below $XDG_STATE_HOME/sallyport/audit)");
  declare_pins(*proxy, options->pins);
  declare_ca_bundles(*proxy, options->ca_bundles);
  proxy->add_option("--ca-out", options->ca_out, "Writes the certificate that clients have to trust where TLS is inspected")
      ->type_name("FILE");
  proxy->footer("Whoever can connect to the address may use it. Ends on SIGTERM and SIGINT.");
  proxy->callback([&chosen, options] { chosen = [options](Console const& c) { return run_proxy_session(*options, c); }; });
}

}  // namespace sallyport::cli
