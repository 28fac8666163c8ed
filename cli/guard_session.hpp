#pragma once
// A session inside one container that has NET_ADMIN and a network: rules that leave the network to the gateway's uid, gateway, audit log,
// self-test, command. The network is closed first and stays closed whenever a later step fails or a process of ours dies.

#include "cli/command.hpp"
#include "cli/held_credentials.hpp"
#include "cli/session_options.hpp"

#include <functional>
#include <string>
#include <vector>

namespace sallyport::cli {

struct GuardOptions {
  std::vector<std::string> policies;
  std::vector<std::string> allow;
  std::vector<policies::Pin> pins;
  UpstreamOptions upstream;
  Placeholders placeholders;
  std::vector<std::string> ca_bundles;
  std::string ca_out;                // the session's own certificate is written here; empty: nowhere
  std::string audit;
  std::string as;                    // the gateway's user; empty: kNobodysUser
  std::vector<std::string> command;  // empty: serve until SIGTERM or SIGINT
};

/// Without a command `guarding` is called with the audit log's path once everything stands.
/// Exit status: the command's own (128+n for signal n); 0 without one, or where a guard with the same policy runs already; 125 with the
/// reason on console.err.
using Guarding = std::function<void(std::string const& log_path)>;
int run_guard_session(GuardOptions const& options, Console const& console, Guarding const& guarding);

}  // namespace sallyport::cli
