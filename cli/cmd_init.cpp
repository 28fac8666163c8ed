// `sallyport init`: the options; init_project does the rest.

#include "cli/command.hpp"
#include "cli/init_project.hpp"
#include "cli/session_options.hpp"

#include <memory>
#include <unistd.h>

namespace sallyport::cli {
namespace {

constexpr char kFooter[] =
    "Writes .devcontainer/ with a policy chosen from what the project contains, and says what each file is for. A file that is there with\n"
    "another content stays, and then nothing is written, unless --force is given.\n\n"
    "Example:\n"
    "  sallyport init --yes --agent claude-code --package ./sallyport_0.1.0_amd64.deb";

int run(InitOptions const& options, Console const& console) {
  bool const asks = !options.yes && !options.dry_run;
  if (asks && options.json) {
    std::fputs("sallyport: --json asks nothing: add --yes, or --dry-run to write nothing\n", console.err);
    return 2;
  }
  if (asks && ::isatty(STDIN_FILENO) != 1) {
    std::fputs("sallyport: standard input is no terminal to ask questions at: add --yes to take the defaults\n", console.err);
    return 2;
  }
  return init_project(options, console, stdin);
}

}  // namespace

void declare_init(CLI::App& app, Chosen& chosen) {
  auto options = std::make_shared<InitOptions>();
  auto* init = app.add_subcommand("init", "Write a Dev Container behind the gateway into a project");
  init->add_option("--workspace", options->workspace, "The project (default: the working directory)")->check(CLI::ExistingDirectory);
  init->add_option("--variant", options->variant, "guard: Sallyport inside the container; attach: outside, for Podman as root")
      ->check(CLI::IsMember({"guard", "attach"}));
  init->add_option("--agent", options->agent, "The agent to install")->check(CLI::IsMember({"none", "claude-code", "codex", "gemini"}));
  init->add_option("--image", options->image, "The container's image");
  repeatable(*init, "--policy", options->policies, "Preset name, instead of those that fit the project; may be repeated");
  init->add_option("--package", options->package, "Sallyport's Debian package, to install it in the container")->type_name("FILE");
  init->add_flag("--yes", options->yes, "Ask nothing, take the defaults");
  init->add_flag("--dry-run", options->dry_run, "Only say what would be written");
  init->add_flag("--force", options->force, "Replace files that are there");
  init->add_flag("--json", options->json, "One JSON object that says what was, or would be, written; with --yes or --dry-run");
  init->footer(kFooter);
  init->callback([&chosen, options] { chosen = [options](Console const& console) { return run(*options, console); }; });
}

}  // namespace sallyport::cli
