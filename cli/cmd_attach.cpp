// `sallyport attach`: the options; attached_session does the rest.

#include "cli/attached_session.hpp"
#include "cli/background.hpp"
#include "cli/command.hpp"
#include "cli/exit_status.hpp"
#include "cli/session_options.hpp"

#include <memory>

namespace sallyport::cli {
namespace {

constexpr char kFooter[] =
    "The container is one that another engine started with --network none and without the capability NET_ADMIN. Ends with the\n"
    "container, or on SIGTERM and SIGINT; then the container has no network again. Needs root, or to be the user whose engine it is.\n\n"
    "Example:\n"
    "  podman run -d --name agent --network none IMAGE sleep infinity\n"
    "  sallyport attach --policy npm --ca-out agent-ca.pem --pid $(podman inspect -f '{{.State.Pid}}' agent)";

struct Asked {
  AttachOptions options;
  pid_t pid = 0;
  std::string network;
  bool detach = false;
};

int attach(Asked const& asked, Console& console, Ready const& ready) {
  auto target = asked.pid != 0 ? jail::open_process(asked.pid) : jail::open_namespace(asked.network);
  if (!target) {
    std::fprintf(console.err, "sallyport: %s\n", target.error().what.c_str());
    return kNotSetUp;
  }
  AttachOptions options = asked.options;
  options.asked = {"attach", asked.pid != 0 ? "--pid=" + std::to_string(asked.pid) : "--netns=" + asked.network};
  return run_attached_session(options, *std::move(target), Powerless::check_processes, console, ready);
}

int run(Asked const& asked, Console console) {
  auto const say = [out = console.out](std::string const& log) {
    std::fprintf(out, "sallyport: attached, audit log %s\n", log.c_str());
    std::fflush(out);
  };
  if (!asked.detach) return attach(asked, console, say);
  return in_background(console, [&](Console& background, std::function<void()> const& release) {
    return attach(asked, background, [&](std::string const& log) {
      say(log);
      release();
    });
  });
}

}  // namespace

void declare_attach(CLI::App& app, Chosen& chosen) {
  auto asked = std::make_shared<Asked>();
  auto* attach = app.add_subcommand("attach", "Put a running container without network behind the gateway");
  auto* pid = attach->add_option("--pid", asked->pid, "A process of the container, as this machine sees it")->check(at_least_one());
  auto* network = attach->add_option("--netns", asked->network, "Its network namespace, for example /run/netns/NAME");
  pid->excludes(network);
  network->excludes(pid);
  repeatable(*attach, "--policy", asked->options.policies, "Preset name or policy file; may be repeated");
  repeatable(*attach, "--allow", asked->options.allow, "HOST[:PORT] to allow as well; may be repeated");
  attach->add_option("--audit", asked->options.audit, "Audit log file (default: below $XDG_STATE_HOME/sallyport/audit)");
  attach->add_option("--env-file", asked->options.env_file, "Write the proxy variables here, one NAME=value a line");
  attach->add_flag("--detach", asked->detach, "Return once the container is served, and go on in the background");
  declare_ca_bundles(*attach, asked->options.ca_bundles);
  attach->add_option("--ca-out", asked->options.ca_out, "Writes the certificate that the container has to trust where TLS is inspected")
      ->type_name("FILE");
  declare_pins(*attach, asked->options.pins);
  declare_placeholders(*attach, asked->options.placeholders);
  declare_upstream(*attach, asked->options.upstream);
  attach->footer(kFooter);
  attach->callback([&chosen, asked] {
    if (asked->pid == 0 && asked->network.empty()) throw CLI::RequiredError("--pid or --netns");
    chosen = [asked](Console const& console) { return run(*asked, console); };
  });
}

}  // namespace sallyport::cli
