#pragma once
// A session around a container that another engine started: policy, checks, the container's network, gateway, audit log, end.

#include "cli/command.hpp"
#include "cli/held_credentials.hpp"
#include "cli/session_options.hpp"
#include "jail/attach_target.hpp"

#include <functional>
#include <string>
#include <vector>

namespace sallyport::cli {

struct AttachOptions {
  std::vector<std::string> policies;
  std::vector<std::string> allow;
  std::vector<policies::Pin> pins;
  UpstreamOptions upstream;
  Placeholders placeholders;
  std::vector<std::string> ca_bundles;  // PEM files of authorities to trust besides the system's
  std::string ca_out;                   // the session's own certificate is written here, for the container to trust; empty: nowhere
  std::string audit;
  std::string env_file;            // proxy variables are written here; empty: nowhere
  std::vector<std::string> asked;  // for session.start: how the container was named
};

/// Who says that the container has no power over its network.
enum class Powerless {
  check_processes,  // we look at what runs in it
  known,            // it was said before the first process runs (cli/oci_state)
};

/// `ready` is called with the audit log's path once everything stands and the container may go on. Serves until the container ends or
/// SIGTERM or SIGINT comes; then the container has no network. Returns the exit status: 0, or 125 with the reason on console.err.
using Ready = std::function<void(std::string const& log_path)>;
int run_attached_session(AttachOptions const& options, jail::AttachTarget target, Powerless powerless, Console& console, Ready const& ready);

}  // namespace sallyport::cli
