#pragma once
// Counts what a log says: for session.end, for the check of it, and for the closing line people read. Value; any thread.

#include "audit/event.hpp"

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace sallyport::audit {

/// The few facts of a record that are counted.
struct RecordFacts {
  std::string_view type;
  std::string_view phase;    // empty if the record has none
  std::string_view verdict;  // empty if the record has none
  std::string_view subject;  // host, name or program that the verdict is about
  std::string_view reason;   // the fixed word of the verdict; empty if the record has none
};
/// The views point into `event`.
RecordFacts facts_of(Event const& event);

struct Tally {
  std::map<std::string, std::uint64_t, std::less<>> by_type;
  std::uint64_t requests_allowed = 0;
  std::uint64_t requests_denied = 0;
  std::uint64_t names_denied = 0;  // DNS questions
  std::uint64_t commands = 0;
  std::uint64_t commands_denied = 0;
  struct Denied {
    std::string subject;
    std::string reason;
    bool operator==(Denied const&) const = default;
  };
  std::optional<Denied> first_denied;  // of the first record with verdict deny

  void add(RecordFacts const& facts);
  std::uint64_t denied() const { return requests_denied + names_denied + commands_denied; }
  /// As session.end has them: records by type, and "denied".
  std::map<std::string, std::uint64_t> counts() const;
};

}  // namespace sallyport::audit
