#pragma once
// Where records go. One thread.

#include "audit/event.hpp"
#include "base/result.hpp"

#include <cstdint>

namespace sallyport::audit {

class Sink {
 public:
  virtual ~Sink() = default;
  /// Appends one record to the current group and returns its seq. It is in the file only after commit().
  /// After any error every later call fails: the session has to end.
  virtual Result<std::uint64_t> append(Event const& event) = 0;
  /// Writes the group to the file (one write for all records since the last commit).
  virtual Result<void> commit() = 0;
};

}  // namespace sallyport::audit
