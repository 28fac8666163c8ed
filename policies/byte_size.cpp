#include "policies/byte_size.hpp"

#include "policies/quote.hpp"

#include <array>
#include <charconv>
#include <limits>

namespace sallyport::policies {

namespace {

struct Unit {
  std::string_view name;
  std::uint64_t bytes;
};
constexpr std::array<Unit, 4> kUnits = {{{"GiB", 1 << 30}, {"MiB", 1 << 20}, {"KiB", 1 << 10}, {"B", 1}}};
constexpr std::uint64_t kMaxBytes = std::numeric_limits<std::int64_t>::max();

}  // namespace

Result<std::uint64_t> parse_byte_size(std::string_view text) {
  Error const bad{Code::invalid, 0, in_quotes(text) + " is not a size; write 4096, 64KiB, 10MiB or 2GiB"};
  std::uint64_t number = 0;
  auto const [end, failed] = std::from_chars(text.data(), text.data() + text.size(), number);
  auto const suffix = text.substr(static_cast<std::size_t>(end - text.data()));
  if (failed != std::errc() || number == 0) return bad;
  if (suffix.empty() && number <= kMaxBytes) return number;
  for (auto const& unit : kUnits) {
    if (suffix == unit.name && number <= kMaxBytes / unit.bytes) return number * unit.bytes;
  }
  return bad;
}

std::string byte_size_text(std::uint64_t bytes) {
  for (auto const& unit : kUnits) {
    if (bytes >= unit.bytes && bytes % unit.bytes == 0) return std::to_string(bytes / unit.bytes) + std::string(unit.name);
  }
  return std::to_string(bytes) + "B";
}

}  // namespace sallyport::policies
