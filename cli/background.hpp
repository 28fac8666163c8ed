#pragma once
// Starts something that goes on when the command has returned, and returns only when that something works. REQUIRES: one thread.

#include "cli/command.hpp"

#include <functional>

namespace sallyport::cli {

/// Runs `body` in a process of a session of its own. It calls `release` once what it is for stands: then this returns 0, and from there on
/// what it prints is lost. If it ends before, this returns its exit status. What it printed on its console's err until then is printed on
/// this one's.
using BackgroundBody = std::function<int(Console& console, std::function<void()> const& release)>;
int in_background(Console const& console, BackgroundBody const& body);

}  // namespace sallyport::cli
