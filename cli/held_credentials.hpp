#pragma once
// Credentials of a session whose programs we give no environment: they hold placeholders already, which the user has chosen and says to us
// (--placeholder). Supervisor only; one thread.

#include "base/clock.hpp"
#include "cli/credential_refresh.hpp"
#include "cli/secret_scrub.hpp"
#include "jail/gateway_link.hpp"
#include "policies/policy.hpp"
#include "proxy/broker.hpp"

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace sallyport::cli {

/// Name of a credential -> its placeholder.
using Placeholders = std::map<std::string, std::string>;

/// "NAME=TEXT": the text is one word of 16 to 4096 visible ASCII bytes.
Result<Placeholders::value_type> parse_placeholder(std::string_view text);

struct HeldCredentials {
  std::vector<proxy::BrokeredCredential> values;
  CredentialRefresh refresh;
  std::vector<policies::Credential> declared;  // as the policy has them
};

/// Reads those that `held` has a placeholder for, from `environment` among others, and wipes what they come from there and in `variables`
/// (environ(7)). Others of the policy that are optional are left out. An error for one that is not, for a name that the policy does not
/// have, for a placeholder that is the value or part of another, and for canaries, which nobody could plant.
Result<HeldCredentials> read_held(policies::Policy const& policy, Placeholders const& held, std::string_view command,
                                  std::map<std::string, std::string>& environment, char** variables, Clock const& clock);

/// Whether `policy` can take the place of the one that declared them: it must have the same credentials at the same places, since they are
/// settled when the session starts, and no others that somebody would have to hand out.
Result<void> check_still_held(policies::Policy const& policy, std::vector<policies::Credential> const& declared, std::string_view command);

/// Gives the gateway the values that have changed since the last call; the log knows each before the gateway can send it anywhere. Returns a
/// line for each credential that has no usable value now.
std::vector<std::string> pass_on_changes(CredentialRefresh& refresh, LearningScrub const& scrub, jail::GatewayLink& link);

}  // namespace sallyport::cli
