#pragma once
// How a subcommand is declared. main() declares the one that is named, or all, parses once, and runs the one that was chosen.

#include <CLI/CLI.hpp>

#include <cstdio>
#include <functional>
#include <span>
#include <string>

namespace sallyport::cli {

/// Where a command prints, and how.
struct Console {
  std::FILE* out = stdout;
  std::FILE* err = stderr;
  bool colour = false;         // a terminal, and NO_COLOR is not set
  std::string preset_dir;      // <prefix>/share/sallyport/presets
  std::string template_dir;    // <prefix>/share/sallyport/devcontainer/templates
  std::span<char> command_line; // the strings of argv in memory: a jail's PID 1 wipes its copy
};

/// Runs the chosen command; returns the exit status of the process.
using Chosen = std::function<int(Console const&)>;

/// Each declares its subcommand below `app` and, when it is parsed, sets `chosen`.
void declare_run(CLI::App& app, Chosen& chosen);
void declare_proxy(CLI::App& app, Chosen& chosen);
void declare_attach(CLI::App& app, Chosen& chosen);
void declare_guard(CLI::App& app, Chosen& chosen);
void declare_oci_hook(CLI::App& app, Chosen& chosen);
void declare_init(CLI::App& app, Chosen& chosen);
void declare_policy(CLI::App& app, Chosen& chosen);
void declare_audit(CLI::App& app, Chosen& chosen);
void declare_dlp(CLI::App& app, Chosen& chosen);

}  // namespace sallyport::cli
