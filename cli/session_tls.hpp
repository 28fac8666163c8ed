#pragma once
// What a session needs where TLS ends in the gateway: an authority of its own, and whom the operator trusts besides the system's roots.

#include "policies/policy.hpp"
#include "proxy/session_ca.hpp"

#include <optional>
#include <string>
#include <vector>

namespace sallyport::cli {

struct SessionTls {
  std::optional<proxy::SessionCa> ca;  // only if some rule wants to see requests inside TLS
  std::string ca_bundle;               // PEM
};

/// When to have an authority: the policy of a session that reloads may come to need one that it does not need now.
enum class MakeAuthority { if_needed, always };

/// Reads the files of --ca-bundle; one that holds no certificate is an error. REQUIRES: before the gateway is forked.
Result<SessionTls> prepare_tls(policies::Policy const& policy, std::vector<std::string> const& ca_bundles,
                               MakeAuthority when = MakeAuthority::if_needed);

/// Writes the certificate of the session's authority to `path`, for clients to trust; its key is never in a file. Nothing to do when
/// `path` is empty; an error when there is no authority.
Result<void> write_certificate(SessionTls const& tls, std::string const& path);

/// For containers, which do not get the certificate by themselves: an error too where TLS is inspected and `path` is empty, since their
/// clients would fail with no hint why. Without an authority the file is empty, not left over from a session before: what a container's
/// variables name stays, the policy may change.
Result<void> hand_out_certificate(SessionTls const& tls, std::string const& path);

}  // namespace sallyport::cli
