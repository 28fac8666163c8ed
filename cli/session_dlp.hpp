#pragma once
// What a session needs to look for secrets: the detectors the policy names exist, and the values that are known.

#include "dlp/known_values.hpp"
#include "policies/policy.hpp"
#include "proxy/broker.hpp"
#include "proxy/dlp_inspection.hpp"

#include <map>
#include <string>
#include <vector>

namespace sallyport::cli {

/// What the policy passes to the jail by name is a finding where it leaves, and no reason to stop it. Credentials and their
/// placeholders are known, too, as what may be only where the broker puts it, and so are canaries. `workspace` is where .env files are looked
/// for; empty: nowhere. An error, with its place, for a detector that there is not. Of the values only salted digests are
/// kept. REQUIRES: before the gateway is forked.
Result<proxy::DlpOptions> prepare_dlp(policies::Policy const& policy, std::map<std::string, std::string> const& environment,
                                      std::string const& workspace,
                                      std::vector<proxy::BrokeredCredential> const& credentials = {},
                                      std::vector<dlp::KnownValue> const& canaries = {});

}  // namespace sallyport::cli
