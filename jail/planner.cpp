#include "jail/planner.hpp"

#include "jail/root_layout.hpp"
#include "jail/seccomp_program.hpp"
#include "jail/trust_pack.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <string_view>
#include <sys/socket.h>
#include <unistd.h>

namespace sallyport::jail {
namespace fs = std::filesystem;
namespace {

constexpr std::uint32_t kPacketLogSnapBytes = 128;  // headers only

/// Directories that are, or hold, what the jail hides or keeps read-only.
constexpr std::array<std::string_view, 16> kNeverWorkspace = {"/",    "/usr", "/bin", "/sbin", "/lib", "/lib64", "/etc", "/var",
                                                              "/dev", "/proc", "/sys", "/run",  "/tmp", "/home", "/boot", "/root"};

bool is_or_holds(fs::path const& outer, fs::path const& inner) {
  auto const relative = inner.lexically_relative(outer);
  return !relative.empty() && *relative.begin() != "..";
}

Result<void> check_workspace(PlanRequest const& request) {
  std::string const advice = "; choose a project directory (cd there, or --workspace DIR)";
  if (is_or_holds(request.workspace, request.home))
    return Error{Code::invalid, 0, "the workspace '" + request.workspace + "' holds your home directory, and with it your keys" + advice};
  if (std::ranges::find(kNeverWorkspace, request.workspace) != kNeverWorkspace.end())
    return Error{Code::invalid, 0, "'" + request.workspace + "' is a system directory and cannot be the workspace" + advice};
  return {};
}

std::vector<std::string> candidates_for(std::string const& program, std::string const& path) {
  if (program.find('/') != std::string::npos) return {program};
  std::vector<std::string> out;
  std::string_view rest = path;
  while (!rest.empty()) {
    auto const colon = std::min(rest.find(':'), rest.size());
    if (colon > 0) out.push_back(std::string(rest.substr(0, colon)) + "/" + program);
    rest.remove_prefix(std::min(colon + 1, rest.size()));
  }
  return out;
}

std::string path_of(std::vector<std::string> const& environment) {
  for (auto const& entry : environment)
    if (entry.starts_with("PATH=")) return entry.substr(5);
  return "";
}

Ipv6 host_has_ipv6() {
  int const fd = ::socket(AF_INET6, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (fd < 0) return Ipv6::absent;
  ::close(fd);
  return Ipv6::present;
}

}  // namespace

Result<Plan> make_plan(PlanRequest const& request, policies::Policy const& policy) {
  if (auto fine = check_workspace(request); !fine) return fine.error();
  TrustPack trust;
  if (!request.authority.empty()) {
    auto made = make_trust_pack(request.authority, request.environment);
    if (!made) return made.error();
    trust = *std::move(made);
  }
  SessionVariables const session{NetPorts{}.explicit_proxy, trust.variables, trust.java_options, request.planted};
  auto mounts = lay_out_root(request, policy, std::move(trust));
  if (!mounts) return mounts.error();

  Plan plan;
  plan.identity = request.identity;
  plan.argv = request.command;
  plan.environment = make_environment(request.environment, policy.environment, session);
  plan.candidates = candidates_for(request.command.front(), path_of(plan.environment));
  plan.cwd = request.cwd;
  plan.mounts = *std::move(mounts);
  plan.ipv6 = host_has_ipv6();
  plan.net_links = build_net_links(plan.ipv6);
  plan.net_rules = build_net_rules(plan.ports);
  plan.packet_log_bind = build_packet_log_bind(kPacketLogSnapBytes);
  plan.seccomp = seccomp_program();
  plan.timeout = request.timeout;
  return plan;
}

}  // namespace sallyport::jail
