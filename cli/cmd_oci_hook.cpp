// `sallyport oci-hook`: run by an OCI runtime as a createRuntime hook, with the container's state on standard input. Starts an attached
// session in the background; when that can't be, the hook fails and with it the container's start. As a poststop hook it has nothing to
// do: the session has seen the container's end.

#include "cli/attached_session.hpp"
#include "cli/background.hpp"
#include "cli/command.hpp"
#include "cli/exit_status.hpp"
#include "cli/oci_state.hpp"
#include "cli/session_options.hpp"

#include <fstream>
#include <iostream>
#include <iterator>
#include <memory>

namespace sallyport::cli {
namespace {

std::string read_all(std::istream& in) { return {std::istreambuf_iterator<char>(in), {}}; }

/// What the hook's own command line says: the administrator's part.
struct HookOptions {
  std::string audit;
  std::vector<std::string> ca_bundles;
  std::vector<policies::Pin> pins;
  UpstreamOptions upstream;
};

struct Request {
  OciState state;
  jail::AttachTarget target;
  Placeholders placeholders;
};

Result<Request> prepare(OciState state) {
  std::ifstream file(state.bundle + "/config.json");
  if (!file) return Error{Code::invalid, 0, "cannot read " + state.bundle + "/config.json"};
  if (auto checked = check_oci_config(read_all(file)); !checked) return checked.error();
  Placeholders placeholders;
  for (auto const& text : state.placeholders) {
    auto one = parse_placeholder(text);
    if (!one) return Error{Code::invalid, 0, std::string("annotation ") + kPlaceholderAnnotation + ": " + one.error().what};
    placeholders.insert(*std::move(one));
  }
  auto target = jail::open_process(state.pid);
  if (!target) return target.error();
  return Request{std::move(state), *std::move(target), std::move(placeholders)};
}

int fail(Console const& console, Error const& error) {
  std::fprintf(console.err, "sallyport: %s\n", error.what.c_str());
  return kNotSetUp;
}

int run_hook(HookOptions const& asked, Console const& console) {
  auto state = parse_oci_state(read_all(std::cin));
  if (!state) return fail(console, state.error());
  if (state->policies.empty() || state->status == "stopped") return 0;
  return in_background(console, [&](Console& background, std::function<void()> const& release) {
    auto request = prepare(*std::move(state));
    if (!request) return fail(background, request.error());
    AttachOptions options;
    options.policies = request->state.policies;
    options.allow = request->state.allow;
    options.placeholders = request->placeholders;
    options.ca_out = request->state.ca_out;
    options.audit = asked.audit;
    options.ca_bundles = asked.ca_bundles;
    options.pins = asked.pins;
    options.upstream = asked.upstream;
    options.asked = {"oci-hook", "--container=" + request->state.id};
    return run_attached_session(options, std::move(request->target), Powerless::known, background, [&](std::string const&) { release(); });
  });
}

}  // namespace

void declare_oci_hook(CLI::App& app, Chosen& chosen) {
  auto options = std::make_shared<HookOptions>();
  auto* hook = app.add_subcommand("oci-hook", "For OCI runtimes: put a container that starts behind the gateway");
  hook->add_option("--audit", options->audit, "Audit log file (default: below $XDG_STATE_HOME/sallyport/audit)");
  declare_ca_bundles(*hook, options->ca_bundles);
  declare_pins(*hook, options->pins);
  declare_upstream(*hook, options->upstream);
  hook->footer("Reads the container's state on standard input. The annotation io.sallyport.policy names the policies:\n"
               "  podman run --network none --annotation io.sallyport.policy=npm IMAGE npm install express");
  hook->callback([&chosen, options] { chosen = [options](Console const& console) { return run_hook(*options, console); }; });
}

}  // namespace sallyport::cli
