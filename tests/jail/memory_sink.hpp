#pragma once
// An audit log in memory, and a clock that a test sets. One thread.

#include "audit/sink.hpp"
#include "base/clock.hpp"

#include <cstdint>
#include <vector>

namespace sallyport::jail {

class MemorySink final : public audit::Sink {
 public:
  /// Sequence numbers count from 1.
  Result<std::uint64_t> append(audit::Event const& event) override {
    if (broken) return Error{Code::os, 0, "the audit log is broken"};
    events.push_back(event);
    return events.size();
  }
  Result<void> commit() override {
    if (broken) return Error{Code::os, 0, "the audit log is broken"};
    committed = events.size();
    return {};
  }
  /// Every record of one type, in order.
  template <class T>
  std::vector<T> all() const {
    std::vector<T> out;
    for (auto const& event : events)
      if (auto const* found = std::get_if<T>(&event)) out.push_back(*found);
    return out;
  }

  std::vector<audit::Event> events;
  std::size_t committed = 0;
  bool broken = false;
};

class FakeClock final : public Clock {
 public:
  std::chrono::steady_clock::time_point now() const override { return now_; }
  std::chrono::system_clock::time_point wall_now() const override { return {}; }
  void advance(std::chrono::steady_clock::duration by) { now_ += by; }

 private:
  std::chrono::steady_clock::time_point now_{};
};

}  // namespace sallyport::jail
