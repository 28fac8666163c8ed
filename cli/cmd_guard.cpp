// `sallyport guard`: the options; guard_session does the rest.

#include "cli/background.hpp"
#include "cli/command.hpp"
#include "cli/guard_session.hpp"
#include "cli/session_options.hpp"

#include <memory>

namespace sallyport::cli {
namespace {

constexpr char kFooter[] =
    "Runs as root inside a container that has the capability NET_ADMIN, and leaves the network to the gateway's user. Without CMD it serves\n"
    "until SIGTERM; the network stays closed then. Root in the container can still become the gateway's user, end the gateway, or, when it\n"
    "is started anew with NET_ADMIN, remove the rules: run the agent as another user, without sudo. `attach` has none of these limits.\n\n"
    "Example:\n"
    "  sallyport guard --policy npm --ca-out /etc/sallyport-ca.pem -- \\\n"
    "    setpriv --reuid agent --regid agent --init-groups --no-new-privs claude";

struct Asked {
  GuardOptions options;
  bool detach = false;
};

int run(Asked const& asked, Console const& console) {
  auto const say = [out = console.out](std::string const& log) {
    std::fprintf(out, "sallyport: guarding, audit log %s\n", log.c_str());
    std::fflush(out);
  };
  if (!asked.detach) return run_guard_session(asked.options, console, say);
  return in_background(console, [&](Console& background, std::function<void()> const& release) {
    bool guards = false;
    int const status = run_guard_session(asked.options, background, [&](std::string const& log) {
      say(log);
      guards = true;
      release();
    });
    if (status == 0 && !guards) release();  // another one with this policy does
    return status;
  });
}

}  // namespace

void declare_guard(CLI::App& app, Chosen& chosen) {
  auto asked = std::make_shared<Asked>();
  auto* options = &asked->options;
  auto* guard = app.add_subcommand("guard", "Inside a container: leave the network to the gateway alone");
  repeatable(*guard, "--policy", options->policies, "Preset name or policy file; may be repeated");
  repeatable(*guard, "--allow", options->allow, "HOST[:PORT] to allow as well; may be repeated");
  guard->add_option("--audit", options->audit, "Audit log file (default: below /var/log/sallyport)");
  auto* detach = guard->add_flag("--detach", asked->detach, "Return once the network is guarded, and go on in the background");
  guard->add_option("--as", options->as, "The gateway's user, whom nobody else in the container may be");
  declare_ca_bundles(*guard, options->ca_bundles);
  guard->add_option("--ca-out", options->ca_out, "Writes the certificate that programs have to trust where TLS is inspected")
      ->type_name("FILE");
  declare_pins(*guard, options->pins);
  declare_placeholders(*guard, options->placeholders);
  declare_upstream(*guard, options->upstream);
  guard->positionals_at_end();
  guard->add_option("command", options->command, "The command and its arguments")->type_name("CMD…")->excludes(detach);
  guard->footer(kFooter);
  guard->callback([&chosen, asked] { chosen = [asked](Console const& console) { return run(*asked, console); }; });
}

}  // namespace sallyport::cli
