// The composition root: declares the commands, parses, runs one.

#include "base/version.hpp"
#include "cli/command.hpp"
#include "cli/exit_status.hpp"
#include "cli/heap.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <iostream>
#include <iterator>
#include <span>
#include <string_view>
#include <unistd.h>

namespace {

using namespace sallyport;

/// <prefix>/share/sallyport beside <prefix>/bin/sallyport: the same in the build tree and when installed.
std::string share_dir() {
  std::error_code ec;
  auto exe = std::filesystem::read_symlink("/proc/self/exe", ec);
  return (exe.parent_path().parent_path() / "share/sallyport").string();
}

/// argv's strings follow one another in memory (execve(2) puts them there).
std::span<char> command_line(int argc, char** argv) {
  if (argc == 0) return {};
  return {argv[0], argv[argc - 1] + std::strlen(argv[argc - 1])};
}

struct Command {
  std::string_view name;
  void (*declare)(CLI::App& app, cli::Chosen& chosen);
};

constexpr Command kCommands[] = {
    {"run", cli::declare_run},
    {"proxy", cli::declare_proxy},
    {"attach", cli::declare_attach},
    {"guard", cli::declare_guard},
    {"oci-hook", cli::declare_oci_hook},
    {"init", cli::declare_init},
    {"policy", cli::declare_policy},
    {"audit", cli::declare_audit},
    {"dlp", cli::declare_dlp},
};

/// The one that is named, or all of them, for help and for suggestions: declaring the others would delay the start.
std::span<Command const> commands_for(std::string_view word) {
  auto const* named = std::ranges::find(kCommands, word, &Command::name);
  if (named == std::end(kCommands)) return kCommands;
  return {named, 1};
}

/// What a wrong command line ends with: 125 where the exit status is otherwise the command's own, else 2.
int usage_status(std::string_view word) { return word == "run" || word == "guard" ? cli::kNotSetUp : 2; }

}  // namespace

int main(int argc, char** argv) {
  cli::populate_heap();
  cli::Console console;
  console.colour = ::isatty(STDOUT_FILENO) == 1 && std::getenv("NO_COLOR") == nullptr;
  console.preset_dir = share_dir() + "/presets";
  console.template_dir = share_dir() + "/devcontainer/templates";
  console.command_line = command_line(argc, argv);

  CLI::App app("Runs untrusted code in a jail whose only way out is a policy-enforcing proxy.", "sallyport");
  app.set_version_flag("--version", std::string("sallyport ") + kVersion);
  app.require_subcommand(1);
  cli::Chosen chosen;
  std::string_view const word = argc > 1 ? argv[1] : "";
  for (auto const& command : commands_for(word)) command.declare(app, chosen);
  try {
    app.parse(argc, argv);
  } catch (CLI::ParseError const& error) {
    bool const asked_for_text = app.exit(error) == 0;  // --help, --version
    return asked_for_text ? 0 : usage_status(word);
  }
  int const status = chosen(console);
  std::fflush(nullptr);
  std::cout.flush();
  ::_exit(status);  // what destructors and exit handlers would free is given back faster by the kernel
}
