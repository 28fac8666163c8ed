#pragma once
// The detectors and values of one session: compiled when the first message needs them, which takes milliseconds. One thread at a time.

#include "dlp/known_values.hpp"
#include "dlp/scanner.hpp"
#include "policies/policy.hpp"

#include <memory>
#include <string>
#include <vector>

namespace sallyport::proxy {

struct DlpOptions {
  std::shared_ptr<dlp::KnownValues const> known = nullptr;  // null: none
  std::string salt = {};                                    // of the session, for digests
};

class DlpSetup {
 public:
  /// REQUIRES: `policy` disables no detector that there is not (see check_detectors).
  DlpSetup(policies::DlpPolicy const& policy, DlpOptions options, dlp::Repeats repeats = dlp::Repeats::first);

  /// The same REQUIRES. Values stay those of the start.
  void replace(policies::DlpPolicy const& policy);
  dlp::Scanner::Setup const& get();
  /// Whether there are values that nothing excuses, `dlp: off` neither: credentials and canaries.
  bool holds_forbidden() const;

 private:
  std::vector<std::string> disabled_;
  dlp::Scanner::Setup setup_;
};

/// An error, with where it stands, if `policy` names a detector that there is not.
Result<void> check_detectors(policies::DlpPolicy const& policy);

}  // namespace sallyport::proxy
