#include "cli/session_records.hpp"

#include "base/version.hpp"
#include "proxy/landlock.hpp"

#include <sys/utsname.h>
#include <unistd.h>

#include <utility>

namespace sallyport::cli {
namespace {

/// What has no place in a kernel without it, and is not asked for by name: the gateway's filter refuses the same calls.
constexpr char kNoLandlock[] = "Landlock for the gateway (not in this kernel)";

audit::SessionStart common(policies::Policy const& policy, std::vector<std::string> enforced, std::vector<std::string> degraded) {
  audit::SessionStart event;
  event.enforced = std::move(enforced);
  event.degraded = std::move(degraded);
  if (proxy::landlock_version() == 0) event.degraded.emplace_back(kNoLandlock);
  event.version = kVersion;
  event.policy = policy.name;
  event.policy_digest = policy.digest;
  event.layers = policy.layers;
  utsname system{};
  if (::uname(&system) == 0) {
    event.host = system.nodename;
    event.kernel = system.release;
  }
  return event;
}

}  // namespace

audit::SessionStart run_start(policies::Policy const& policy, jail::Plan const& plan, std::string const& workspace) {
  audit::SessionStart event = common(policy,
                                     {"network namespace", "packet filter", "seccomp", "no capabilities", "no new privileges",
                                      "private mounts", "PID namespace", "hidden home", "confined gateway", "exec notification"},
                                     {});
  event.uid = plan.identity.uid;
  event.workspace = workspace;
  event.argv = plan.argv;
  return event;
}

audit::SessionStart proxy_start(policies::Policy const& policy, std::vector<std::string> const& arguments) {
  audit::SessionStart event =
      common(policy, {"confined gateway"}, {"network namespace (clients may go around the proxy)", "command audit (unavailable)"});
  event.uid = ::geteuid();
  event.argv = {"proxy"};
  event.argv.insert(event.argv.end(), arguments.begin(), arguments.end());
  return event;
}

audit::SessionStart attach_start(policies::Policy const& policy, std::vector<std::string> const& asked, CommandAudit commands) {
  audit::SessionStart event = common(policy, {"network namespace", "packet filter", "confined gateway"}, {});
  if (commands == CommandAudit::after_the_fact)
    event.enforced.emplace_back("command audit (after the fact)");
  else
    event.degraded.emplace_back("command audit (unavailable)");
  event.uid = ::geteuid();
  event.argv = asked;
  return event;
}

audit::SessionStart guard_start(policies::Policy const& policy, std::uint32_t gateway, std::vector<std::string> const& command) {
  audit::SessionStart event =
      common(policy, {"packet filter", "confined gateway"},
             {"network namespace (shared with the gateway, uid " + std::to_string(gateway) + ")", "command audit (unavailable)"});
  event.uid = ::geteuid();
  event.argv = {"guard"};
  event.argv.insert(event.argv.end(), command.begin(), command.end());
  return event;
}

audit::SessionStart routed(audit::SessionStart event, policies::UpstreamRoute const* route) {
  if (route != nullptr && route->proxy.looks_up_names) {
    event.degraded.push_back("address guard (" + to_string(route->proxy) + " looks names up)");
  }
  return event;
}

}  // namespace sallyport::cli
