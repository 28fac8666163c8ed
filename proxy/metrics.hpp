#pragma once
// What the gateway has done, in numbers. Counts the records that pass through it; labels are rules, fixed words and nothing
// a client chooses. Any thread.

#include "audit/event.hpp"

#include <array>
#include <chrono>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>

namespace sallyport::proxy {

/// Counts of durations up to fixed bounds, as Prometheus histograms have them.
class Histogram {
 public:
  static constexpr std::array<std::uint64_t, 12> kBoundsMicroseconds = {
      100, 500, 1'000, 5'000, 10'000, 50'000, 100'000, 500'000, 1'000'000, 10'000'000, 60'000'000, 600'000'000};
  void add(std::uint64_t microseconds);
  /// Those up to the bound with this index.
  std::uint64_t up_to(std::size_t bound) const;
  std::uint64_t count() const { return count_; }
  std::uint64_t sum_microseconds() const { return sum_; }

 private:
  std::array<std::uint64_t, kBoundsMicroseconds.size()> counts_{};  // of each bucket by itself
  std::uint64_t count_ = 0;
  std::uint64_t sum_ = 0;
};

/// What of a message was searched for secrets.
enum class Inspected { head, body };

/// How the addresses of a name were had.
enum class Lookup {
  kept,      // of an earlier answer, or of a question that was under way
  answered,  // name servers were asked
  failed,    // they had none, or did not answer
};
inline constexpr std::array kLookups = {Lookup::kept, Lookup::answered, Lookup::failed};

class Metrics {
 public:
  struct VerdictKey {
    std::string tenant, leg, verdict, rule, reason;
    auto operator<=>(VerdictKey const&) const = default;
  };
  /// Series of one kind; what would be more is counted under rule "other".
  static constexpr std::size_t kMaxSeries = 2000;

  struct Numbers {
    std::map<VerdictKey, std::uint64_t> verdicts{};
    Histogram durations{};
    Histogram connects{};
    Histogram audit_lag{};
    std::array<Histogram, 2> inspections{};  // by Inspected
    std::uint64_t bytes_up = 0;
    std::uint64_t bytes_down = 0;
    std::uint64_t failures = 0;
    std::uint64_t reloads = 0;
    std::array<std::uint64_t, kLookups.size()> lookups{};  // by Lookup
  };

  void count(audit::Event const& event);
  void audit_written(std::chrono::microseconds took);
  void policy_taken();
  void inspected(Inspected what, std::chrono::microseconds took);
  void count_lookup(Lookup how);

  /// As they are now.
  Numbers numbers() const;

 private:
  void count_verdict(audit::EgressRequest const& request);
  void count_end(std::uint64_t up, std::uint64_t down, std::uint64_t duration_us);

  mutable std::mutex mutex_;
  Numbers numbers_;
};

}  // namespace sallyport::proxy
