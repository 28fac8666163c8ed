#pragma once
// One line of a log, taken apart. Pure; any thread. Hardened against hostile bytes: anybody may have written the line.

#include "audit/tally.hpp"
#include "base/result.hpp"

#include <boost/json/object.hpp>

#include <cstdint>
#include <optional>
#include <string_view>

namespace sallyport::audit {

/// The parts of a line that the chain is made of. The views point into the line.
struct Links {
  std::string_view hashed;  // what "hash" is over
  std::string_view prev;
  std::string_view hash;
};
/// Error::invalid if the line does not end as every line of a log does.
Result<Links> links_of(std::string_view line);

/// A signature and what it is over, apart from the hash of the line before. The views point into the line.
struct Signature {
  std::string_view signed_part;
  std::string_view base64;
};
/// Nothing if the line has none at its place, right before "prev".
std::optional<Signature> signature_of(std::string_view line);

/// The line as a JSON object that has the four members every record has, each of its type.
Result<boost::json::object> parse_record(std::string_view line);

/// Values of a record; empty or 0 if it has no such member or one of another type. The views point into the record.
std::string_view text_in(boost::json::object const& record, std::string_view name);
std::uint64_t number_in(boost::json::object const& record, std::string_view name);
RecordFacts facts_of(boost::json::object const& record);

}  // namespace sallyport::audit
