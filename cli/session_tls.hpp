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

/// Reads the files of --ca-bundle; one that holds no certificate is an error. REQUIRES: before the gateway is forked.
Result<SessionTls> prepare_tls(policies::Policy const& policy, std::vector<std::string> const& ca_bundles);

/// For sessions whose clients do not get the certificate by themselves: writes it to `path`, for them to trust. An error where TLS is
/// inspected and `path` is empty, and the reverse: clients would fail, or wait for a file, with no hint why.
Result<void> hand_out_certificate(SessionTls const& tls, std::string const& path);

}  // namespace sallyport::cli
