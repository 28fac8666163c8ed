// `sallyport run`: the options; run_session does the rest.

#include "cli/command.hpp"
#include "cli/run_options.hpp"
#include "cli/run_session.hpp"
#include "cli/session_options.hpp"
#include "policies/duration.hpp"

#include <memory>

namespace sallyport::cli {
namespace {

constexpr char kFooter[] =
    "Exit status: the command's own; 128+n for signal n; 124 time limit; 125 the jail could not be set up;\n"
    "126 not executable; 127 not found.\n\n"
    "Examples:\n"
    "  sallyport run --policy npm -- npm install express\n"
    "  sallyport run --policy npm --allow example.com -- claude\n"
    "  sallyport run --policy ./policy.yaml --timeout 10m -- make test";

void declare_options(CLI::App& run, RunOptions& options) {
  repeatable(run, "--policy", options.policies, "Preset name or policy file; may be repeated");
  repeatable(run, "--allow", options.allow, "HOST[:PORT] to allow as well; may be repeated");
  run.add_option("--workspace", options.workspace, "Directory the command may write (default: the working directory)");
  run.add_option("--audit", options.audit, "Audit log file (default: below $XDG_STATE_HOME/sallyport/audit)");
  run.add_option("--as", options.as, "As root: run the jail as this user (default: the workspace's owner)");
  auto store_timeout = [&options](std::chrono::milliseconds value) { options.timeout = value; };
  run.add_option("--timeout", parsed("--timeout", policies::parse_duration, store_timeout), "Time limit: 500ms, 30s, 5m, 1h")->type_name("TIME");
  declare_pins(run, options.pins);
  declare_upstream(run, options.upstream);
  declare_ca_bundles(run, options.ca_bundles);
  run.add_option("command", options.command, "The command and its arguments")->required()->type_name("CMD…");
}

}  // namespace

void declare_run(CLI::App& app, Chosen& chosen) {
  auto options = std::make_shared<RunOptions>();
  auto* run = app.add_subcommand("run", "Run a command in a jail whose only way out is the proxy");
  run->footer(kFooter);
  run->positionals_at_end();
  declare_options(*run, *options);
  run->callback([&chosen, options] { chosen = [options](Console const& console) { return run_session(*options, console); }; });
}

}  // namespace sallyport::cli
