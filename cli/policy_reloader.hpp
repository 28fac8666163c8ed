#pragma once
// Exchanges the policy of a gateway that runs: reads and checks the files here, and hands a good policy over. A bad one
// changes nothing. One thread. Every attempt that somebody asked for, and every one that changes or should have changed
// something, is one policy.reload record and one line for the operator.

#include "audit/file_sink.hpp"
#include "jail/gateway_link.hpp"
#include "policies/yaml_loader.hpp"

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace sallyport::cli {

enum class ReloadTrigger { signal, file };

/// Whether this session can look into TLS, which is settled when it starts.
enum class Authority { none, present };

struct ReloaderParts {
  std::string tenant;  // of `proxy`, whose policy it is; empty: the session's
  jail::GatewayLink& link;
  audit::Sink& sink;
  std::function<void(std::string const& line)> tell;  // the operator
  std::function<void(std::vector<std::string> const& files)> watch;
  std::vector<policies::Credential> held = {};  // credentials that were settled at the start
};

/// Lifetime: outlives the link's messages; what `parts` refers to outlives it.
class PolicyReloader {
 public:
  PolicyReloader(policies::PolicySources sources, Authority authority, std::string digest, ReloaderParts parts)
      : sources_(std::move(sources)), authority_(authority), digest_(std::move(digest)), parts_(std::move(parts)) {}
  PolicyReloader(PolicyReloader const&) = delete;
  PolicyReloader& operator=(PolicyReloader const&) = delete;

  /// Now, or when the answer to the one before has come. An error means that the audit log or the gateway is gone.
  Result<void> reload(ReloadTrigger trigger);
  /// Call it after the link has taken messages: an answer may have come while another reload was asked for.
  Result<void> go_on();

 private:
  Result<void> attempt(ReloadTrigger trigger);
  Result<void> hand_over(policies::LoadedPolicy const& loaded, ReloadTrigger trigger);
  Result<void> write(audit::PolicyReload record);
  audit::PolicyReload new_record(ReloadTrigger trigger) const;
  audit::PolicyReload record_of(policies::Policy const& policy, ReloadTrigger trigger) const;
  audit::PolicyReload answered(audit::PolicyReload record, audit::channel::PolicyAnswer const& answer);

  policies::PolicySources sources_;
  Authority authority_;
  std::string digest_;    // of the policy that decides
  std::string rejected_;  // why the last one was rejected: said once while files keep changing
  ReloaderParts parts_;
  std::optional<ReloadTrigger> next_;
};

}  // namespace sallyport::cli
