#include "cli/session_records.hpp"

#include "base/version.hpp"

#include <sys/utsname.h>
#include <unistd.h>

namespace sallyport::cli {
namespace {

audit::SessionStart common(policies::Policy const& policy) {
  audit::SessionStart event;
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
  audit::SessionStart event = common(policy);
  event.enforced = {"network namespace", "packet filter", "seccomp",     "no capabilities",  "no new privileges",
                    "private mounts",    "PID namespace", "hidden home", "confined gateway", "exec notification"};
  event.uid = plan.identity.uid;
  event.workspace = workspace;
  event.argv = plan.argv;
  return event;
}

audit::SessionStart proxy_start(policies::Policy const& policy, std::vector<std::string> const& arguments) {
  audit::SessionStart event = common(policy);
  event.enforced = {"confined gateway"};
  event.degraded = {"network namespace (clients may go around the proxy)", "command audit (unavailable)"};
  event.uid = ::geteuid();
  event.argv = {"proxy"};
  event.argv.insert(event.argv.end(), arguments.begin(), arguments.end());
  return event;
}

audit::SessionStart attach_start(policies::Policy const& policy, std::vector<std::string> const& asked) {
  audit::SessionStart event = common(policy);
  event.enforced = {"network namespace", "packet filter", "confined gateway"};
  event.degraded = {"command audit (unavailable)"};
  event.uid = ::geteuid();
  event.argv = asked;
  return event;
}

audit::SessionStart guard_start(policies::Policy const& policy, std::uint32_t gateway, std::vector<std::string> const& command) {
  audit::SessionStart event = common(policy);
  event.enforced = {"packet filter", "confined gateway"};
  event.degraded = {"network namespace (shared with the gateway, uid " + std::to_string(gateway) + ")", "command audit (unavailable)"};
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
