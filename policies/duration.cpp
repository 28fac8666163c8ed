#include "policies/duration.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>

namespace sallyport::policies {
namespace {

struct TimeUnit {
  std::string_view suffix;
  std::int64_t milliseconds;
};
constexpr std::array<TimeUnit, 4> kTimeUnits = {{{"ms", 1}, {"s", 1000}, {"m", 60'000}, {"h", 3'600'000}}};
constexpr std::int64_t kMaxMilliseconds = std::int64_t{1000} * 3'600'000;

}  // namespace

Result<std::chrono::milliseconds> parse_duration(std::string_view text) {
  Error const error{Code::invalid, 0, "'" + std::string(text) + "' is not a duration: write 500ms, 30s, 5m or 1h"};
  std::int64_t number = 0;
  auto const [end, status] = std::from_chars(text.data(), text.data() + text.size(), number);
  std::string_view const suffix = text.substr(static_cast<std::size_t>(end - text.data()));
  if (status != std::errc{} || number <= 0) return error;
  for (auto const& unit : kTimeUnits) {
    if (unit.suffix != suffix) continue;
    if (number > kMaxMilliseconds / unit.milliseconds) return error;
    return std::chrono::milliseconds(number * unit.milliseconds);
  }
  return error;
}

std::string duration_text(std::chrono::milliseconds duration) {
  auto const fits = [&](TimeUnit const& unit) { return duration.count() % unit.milliseconds == 0; };
  auto const unit = std::find_if(kTimeUnits.rbegin(), kTimeUnits.rend(), fits);
  return std::to_string(duration.count() / unit->milliseconds) + std::string(unit->suffix);
}

}  // namespace sallyport::policies
