#pragma once
// `sallyport init`: what goes into a project's .devcontainer, from options, answers, the project's own files and a template.
// REQUIRES: one thread.

#include "cli/command.hpp"

#include <string>
#include <vector>

namespace sallyport::cli {

/// Empty strings and vectors: not said; asked for, or the default.
struct InitOptions {
  std::string workspace;
  std::string variant;                // guard or attach
  std::string agent;                  // none, claude-code, codex or gemini
  std::string image;
  std::vector<std::string> policies;  // preset names
  std::string package;                // a .deb that goes beside the Feature's install.sh
  bool yes = false;                   // take the defaults, ask nothing
  bool dry_run = false;
  bool force = false;
  bool json = false;  // one JSON object on console.out in place of text; nothing is asked. REQUIRES: yes or dry_run
};

/// Questions are read from `in`. Exit status: 0; 1 when a person said no; 2 with the reason on console.err, and nothing written.
int init_project(InitOptions const& options, Console const& console, std::FILE* in);

}  // namespace sallyport::cli
