#pragma once
// Who dialled where a moment ago. A rejected datagram or connection is reported when its socket may be closed already; the system call
// that caused it was seen before. One thread, no system calls.

#include "audit/event.hpp"

#include <chrono>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>

namespace sallyport::jail {

struct Dial {
  std::string address;
  std::uint16_t port = 0;
  bool operator==(Dial const&) const = default;
};

class RecentDials {
 public:
  using Time = std::chrono::steady_clock::time_point;
  void note(Dial dial, audit::Process process, Time now);
  /// The latest that dialled the flow's remote address within the last seconds. A guess where several dial the same.
  std::optional<audit::Process> find(audit::Flow const& flow, Time now) const;

 private:
  struct Entry {
    Dial dial;
    audit::Process process;
    Time at;
  };
  std::deque<Entry> entries_;
};

}  // namespace sallyport::jail
