#pragma once
// What a policy makes of findings: its action and its exceptions, on top of what dlp/verdict.hpp says of them. Pure; any thread.

#include "dlp/verdict.hpp"
#include "policies/canonical_host.hpp"
#include "policies/host_pattern.hpp"
#include "policies/policy.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace sallyport::proxy {

/// How a secret stands in the message.
enum class Spread {
  whole,      // in one piece
  fixed,      // in one piece, in what has to stay as it is: the path, a name, a field of the framing
  in_pieces,  // over several values
};

struct FoundAt {
  dlp::Place place = dlp::Place::body;
  Spread spread = Spread::whole;
};

/// Whether nothing excuses it, whatever the policy's `dlp` says: canaries, and credentials outside of their spots.
bool is_forbidden(dlp::Finding const& finding);

class DlpRules {
 public:
  /// `today` as YYYY-MM-DD: exceptions that ended before it do not count.
  DlpRules(policies::DlpPolicy const& policy, std::string_view today);

  /// `wanted` is the action of the rule that allowed the request.
  dlp::Action act_on(dlp::Finding const& finding, FoundAt where, policies::CanonicalHost const& host, policies::DlpAction wanted) const;

  policies::DlpAction action() const { return action_; }
  bool reads_responses() const { return reads_responses_; }

 private:
  struct Exception {
    policies::HostPattern host;
    std::string detector;
    std::string digest;  // empty: of any value
  };
  bool is_excepted(dlp::Finding const& finding, policies::CanonicalHost const& host) const;

  policies::DlpAction action_;
  bool reads_responses_;
  std::vector<Exception> exceptions_;
};

/// A word of as many bytes that stands for a secret: letters, digits, '_' and '-'.
std::string placeholder(std::string_view detector, std::size_t bytes);

}  // namespace sallyport::proxy
