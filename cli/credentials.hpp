#pragma once
// The real values of a policy's credentials, and the placeholders that stand for them in the jail. Supervisor only.

#include "base/limits.hpp"
#include "policies/policy.hpp"
#include "proxy/broker.hpp"

#include <map>
#include <string>
#include <vector>

namespace sallyport::cli {

/// Reads each credential from its source. Errors say which credential, where it stands, and what to do. A value is one word
/// of 8 to 4096 visible ASCII bytes. Values lie in pages that a child has only if they are shared with it.
Result<std::vector<proxy::BrokeredCredential>> read_credentials(policies::Policy const& policy,
                                                                std::map<std::string, std::string> const& environment);

/// The value that its source has now. The same errors.
Result<std::string> read_value(policies::Credential const& credential, std::map<std::string, std::string> const& environment);

/// Of the text that its source gave: without the line end, if it is one word of a length that can be. The same errors.
Result<std::string> usable_value(policies::Credential const& credential, Result<std::string> text);
/// More than any source may give.
inline constexpr std::size_t kMaxCredentialText = limits::kMaxCredentialBytes + 2;

/// An error if the policy has credentials or canaries: what `command` serves has no environment of ours to put them in.
Result<void> check_no_handouts(policies::Policy const& policy, std::string_view command);

/// Same length, the same kinds of characters in the same places, and the beginning by which detectors know its kind;
/// otherwise random.
Result<std::string> make_placeholder(std::string_view value);

/// Overwrites the values of variables that credentials come from, in `environment` and in this process's own (`variables`
/// is environ(7)): what is forked later must not have them.
void wipe_sources(policies::Policy const& policy, std::map<std::string, std::string>& environment, char** variables);

/// Files of the jail's home that hold placeholders, by their path below it.
std::map<std::string, std::string> placeholder_files(policies::Policy const& policy, std::vector<proxy::BrokeredCredential> const& credentials);

/// The variables of the jail that hold placeholders.
std::map<std::string, std::string> placeholders_of(std::vector<proxy::BrokeredCredential> const& credentials);

}  // namespace sallyport::cli
