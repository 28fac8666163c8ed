#include "dlp/layer.hpp"

#include "dlp/base_n.hpp"
#include "dlp/limits.hpp"
#include "dlp/noise.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <optional>

namespace sallyport::dlp {
namespace {

constexpr std::size_t kMaxBase58 = 256;  // digits: decoding takes the square of them
constexpr ByteSet kBase64Sign = ByteSet::of("+/_-");
constexpr ByteSet kDecimals = ByteSet::of("0-9, ");
constexpr std::size_t kMinDecimals = 45;  // bytes of fifteen numbers
constexpr std::size_t kMinNumbers = 15;

/// A power of 58: `fraction`, from one half up to one, by two to the `exponent`.
struct Power {
  double fraction = 0;
  int exponent = 0;
};

std::array<Power, kMaxBase58> powers_of_58() {
  std::array<Power, kMaxBase58> powers;
  Power power{0.5, 1};
  for (auto& each : powers) {
    each = power;
    int grown = 0;
    power.fraction = std::frexp(power.fraction * 58, &grown);
    power.exponent += grown;
  }
  return powers;
}

/// Whether what the digits stand for most likely begins with text: four bytes of it, and no more than a number of ten
/// digits tells.
bool begins_with_text(std::string_view digits) {
  constexpr std::size_t kLeading = 10;
  static auto const powers = powers_of_58();
  std::uint64_t leading = 0;
  for (char c : digits.substr(0, kLeading)) {
    auto const value = base58_value(c);
    if (value == 0xff) return false;
    leading = leading * 58 + value;
  }
  if (leading == 0) return false;  // bytes of zero
  auto const& rest = powers[digits.size() - kLeading];
  int bits = 0;
  auto value = std::frexp(static_cast<double>(leading) * rest.fraction, &bits);
  value = std::ldexp(value, (bits + rest.exponent - 1) % 8 + 1);  // the first byte, and what is behind the point
  for (int i = 0; i < 4; ++i) {
    auto const byte = static_cast<std::uint8_t>(value);
    if (byte < ' ' || byte > '~') return false;
    value = (value - byte) * 256;
  }
  return true;
}

/// Most runs of letters and digits are none: what they would begin with is no text.
void peel_base58(std::string_view digits, Span source, LayerSink const& sink) {
  while (!digits.empty() && kBase64Sign.contains(digits.front())) digits.remove_prefix(1);
  while (!digits.empty() && kBase64Sign.contains(digits.back())) digits.remove_suffix(1);
  if (digits.size() < kMinCodedRun || digits.size() > kMaxBase58 || !begins_with_text(digits)) return;
  auto bytes = base58_bytes(digits);
  if (bytes && !is_noise(*bytes)) sink({Coding::base58, source, std::move(*bytes), 0, Depth::tokens});
}

/// The number at `at`, if it is a printable character; `at` is moved behind it and what separates it from the next.
std::optional<char> next_character(std::string_view text, std::size_t& at) {
  auto const length = kDigits.run(text.substr(at, 4));
  if (length == 0 || length > 3) return std::nullopt;
  int value = 0;
  for (char c : text.substr(at, length)) value = value * 10 + (c - '0');
  at += length;
  if (at < text.size() && text[at] == ',') ++at;
  if (at < text.size() && text[at] == ' ') ++at;
  bool const printable = (value >= ' ' && value <= '~') || value == '\n' || value == '\r' || value == '\t';
  return printable ? std::optional(static_cast<char>(value)) : std::nullopt;
}

void peel_decimals(std::string_view text, LayerSink const& sink) {
  static RunFinder const finder(kDecimals, kMinDecimals);
  std::vector<Span> runs;
  finder.find(text, runs);
  for (auto const& run : runs) {
    auto const numbers = text.substr(run.begin, run.size());
    std::string characters;
    for (std::size_t at = 0; at < numbers.size();) {
      auto const from = at;
      auto const c = next_character(numbers, at);
      if (c) characters += *c;
      if (c && at < numbers.size()) continue;
      if (characters.size() >= kMinNumbers) sink({Coding::decimal, run, characters, 0, Depth::tokens});
      characters.clear();
      at = std::max(at, from + 1);
    }
  }
}

}  // namespace

void peel_numbers(std::string_view text, std::vector<Span> const& runs, LayerSink const& sink) {
  for (auto const& run : runs) peel_base58(text.substr(run.begin, run.size()), run, sink);
  peel_decimals(text, sink);
}

}  // namespace sallyport::dlp
