#pragma once
// Keeps secrets out of the audit log: what a detector finds in an argument, a path or a name is overwritten before it is written down.
// Supervisor only; one thread. A secret that is spread over several arguments is not seen.

#include "audit/file_sink.hpp"
#include "dlp/known_values.hpp"
#include "policies/policy.hpp"
#include "proxy/dlp_inspection.hpp"

#include <functional>

namespace sallyport::cli {

/// `options` are those of the session: the same values are known here. Detectors are compiled when the first text is long enough to hold
/// a secret.
audit::Scrub secret_scrub(policies::DlpPolicy const& policy, proxy::DlpOptions const& options);

/// The same for a session whose credentials may change: `learn` tells it one more value, before anything with it can be written down.
struct LearningScrub {
  audit::Scrub scrub;
  std::function<void(dlp::KnownValue const& value)> learn;
};
LearningScrub learning_scrub(policies::DlpPolicy const& policy, proxy::DlpOptions const& options);

}  // namespace sallyport::cli
