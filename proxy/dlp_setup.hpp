#pragma once
// The detectors and values of one session: compiled when the first message needs them, which takes milliseconds. One thread at a time.

#include "dlp/known_values.hpp"
#include "dlp/scanner.hpp"
#include "policies/policy.hpp"
#include "policies/problem.hpp"

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
  /// REQUIRES: check_detectors() found nothing wrong with `policy`.
  DlpSetup(policies::DlpPolicy const& policy, DlpOptions options, dlp::Repeats repeats = dlp::Repeats::first);

  /// The same REQUIRES. Values stay those of the start.
  void replace(policies::DlpPolicy const& policy);
  dlp::Scanner::Setup const& get();
  /// One more value to look for, from now on.
  void learn(dlp::KnownValue const& value);
  /// Whether there are values that nothing excuses, `dlp: off` neither: credentials and canaries.
  bool holds_forbidden() const;

 private:
  std::vector<std::string> disabled_;
  std::vector<policies::DetectorImport> imports_;
  dlp::Scanner::Setup setup_;
};

/// Detectors that `policy` names and that there are not, imports that are no configuration of detectors, with where they stand. Compiles what
/// is imported.
policies::Problems detector_problems(policies::DlpPolicy const& policy);
/// The first of them.
Result<void> check_detectors(policies::DlpPolicy const& policy);
/// What was not taken over of imports, one line each. REQUIRES: there are no problems.
std::vector<std::string> import_notes(policies::DlpPolicy const& policy);

}  // namespace sallyport::proxy
