#pragma once
// One session, top to bottom: policy, plan, jail, gateway, audit log, command, end.

#include "cli/command.hpp"
#include "cli/run_options.hpp"

namespace sallyport::cli {

/// Returns the exit status of `sallyport run`: the command's own, 128+n for signal n, 124 time limit, 125 not set up,
/// 126 not executable, 127 not found. Prints errors and, at the end, one line if something was refused.
int run_session(RunOptions const& options, Console const& console);

}  // namespace sallyport::cli
