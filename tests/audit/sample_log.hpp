#pragma once
// Events, a clock and whole logs for the tests of audit/ and of `sallyport audit`.

#include "audit/event.hpp"
#include "base/clock.hpp"

#include <chrono>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace sallyport::audit {

class FakeClock final : public Clock {
 public:
  std::chrono::steady_clock::time_point now() const override { return std::chrono::steady_clock::time_point(elapsed_); }
  std::chrono::system_clock::time_point wall_now() const override { return kStart + elapsed_; }
  void advance(std::chrono::milliseconds by) { elapsed_ += by; }

  /// 2026-11-27T23:59:59.000250Z
  static constexpr std::chrono::system_clock::time_point kStart{std::chrono::microseconds(1795823999000250)};

 private:
  std::chrono::milliseconds elapsed_{0};
};

inline constexpr std::string_view kSampleSession = "20261127T235959Z-5f0c21ab";

SessionStart sample_start();
EgressRequest sample_request(std::string_view verdict = "allow");
/// One event of every type that the gateway reports, with every field set.
std::vector<Event> full_gateway_events();

/// A complete log of `requests` requests, the second of them denied, at DIR/SESSION.jsonl; its key is in DIR/key.
/// Throws when it cannot be made.
std::filesystem::path make_log(std::filesystem::path const& dir, int requests, std::string_view session = kSampleSession);

std::vector<std::string> lines_of(std::filesystem::path const& log);
void write_lines(std::filesystem::path const& log, std::vector<std::string> const& lines);

}  // namespace sallyport::audit
