#pragma once
// What the gateway has done, in numbers. Counts the records that pass through it; labels are rules, fixed words and nothing
// a client chooses. Thread: the gateway's.

#include "audit/event.hpp"

#include <array>
#include <chrono>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <map>
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

  void count(audit::Event const& event);
  void audit_written(std::chrono::microseconds took) { audit_lag_.add(static_cast<std::uint64_t>(took.count())); }
  void policy_taken() { ++reloads_; }
  void inspected(Inspected what, std::chrono::microseconds took) {
    inspections_.at(static_cast<std::size_t>(what)).add(static_cast<std::uint64_t>(took.count()));
  }
  void count_lookup(Lookup how) { ++lookups_.at(static_cast<std::size_t>(how)); }

  std::map<VerdictKey, std::uint64_t> const& verdicts() const { return verdicts_; }
  Histogram const& durations() const { return durations_; }
  Histogram const& connects() const { return connects_; }
  Histogram const& audit_lag() const { return audit_lag_; }
  Histogram const& inspections(Inspected what) const { return inspections_.at(static_cast<std::size_t>(what)); }
  std::uint64_t bytes_up() const { return bytes_up_; }
  std::uint64_t bytes_down() const { return bytes_down_; }
  std::uint64_t failures() const { return failures_; }
  std::uint64_t reloads() const { return reloads_; }
  std::uint64_t lookups(Lookup how) const { return lookups_.at(static_cast<std::size_t>(how)); }

 private:
  void count_verdict(audit::EgressRequest const& request);
  void count_end(std::uint64_t up, std::uint64_t down, std::uint64_t duration_us);

  std::map<VerdictKey, std::uint64_t> verdicts_;
  Histogram durations_;
  Histogram connects_;
  Histogram audit_lag_;
  std::array<Histogram, 2> inspections_;  // by Inspected
  std::uint64_t bytes_up_ = 0;
  std::uint64_t bytes_down_ = 0;
  std::uint64_t failures_ = 0;
  std::uint64_t reloads_ = 0;
  std::array<std::uint64_t, kLookups.size()> lookups_{};
};

}  // namespace sallyport::proxy
