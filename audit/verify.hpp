#pragma once
// Checks a whole log: every record is there, in order, unchanged, and signed by one key. Blocking; constant memory; any
// thread. Hardened against hostile files.
// Does not: know whether the key is one to trust (the caller compares Verification::key), nor whether a log as a whole was
// exchanged for an older one, nor, while a log has no session.end, how much is missing behind its last line.

#include "audit/tally.hpp"
#include "base/result.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace sallyport::audit {

enum class Fault {
  garbage,          // not a record
  altered,          // bytes of a record were changed
  removed,          // a record is missing
  reordered,        // a record stands at another place, or twice
  mixed_sessions,   // a record of another session
  no_start,         // the log does not begin with session.start and a key
  wrong_signature,  // a checkpoint or the end is not signed by the key of session.start
  wrong_counts,     // session.end or a checkpoint counts other records than there are
  after_end,        // something stands behind session.end
  cut_off,          // no session.end: cut off, or still being written
};
std::string_view to_string(Fault fault);

struct Problem {
  std::uint64_t line = 0;  // of the first bad record
  std::uint64_t seq = 0;   // that the record has, or would have
  Fault fault = Fault::garbage;
  std::string what;  // one sentence
};

struct Verification {
  std::uint64_t records = 0;         // good ones, from the start of the log
  std::uint64_t signed_records = 0;  // of these, up to the last good signature
  std::string session;
  std::string key;  // public key of session.start, "ed25519:<base64>"
  Tally tally;
  std::optional<Problem> problem;  // the first
};

/// Whether a log without session.end is good so far.
enum class Expect { ended, live };

/// An Error only if the file cannot be read.
Result<Verification> verify_file(std::string const& path, Expect expect);

}  // namespace sallyport::audit
