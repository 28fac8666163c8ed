#pragma once
// `sallyport audit verify`: checks logs and says who signed them. Reads files and prints; one thread.

#include "audit/places.hpp"
#include "cli/command.hpp"

#include <string>
#include <vector>

namespace sallyport::cli {

struct VerifyOptions {
  std::vector<std::string> files;  // empty: the newest log
  std::vector<std::string> keys;   // files whose first line is a public key; empty: the caller's own key
  bool live = false;               // a log without session.end may be good
  bool json = false;
};

/// Exit status: 0 if every log is whole, unchanged and signed by one of the keys; 1 if one is not; 2 if a file cannot be
/// read.
int verify_audit(Console const& console, audit::Places const& places, VerifyOptions const& options);

}  // namespace sallyport::cli
