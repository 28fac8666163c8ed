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
constexpr ByteSet kDecimals = ByteSet::of("0-9, ");
constexpr std::size_t kMinDecimals = 45;  // bytes of fifteen numbers
constexpr std::size_t kMinNumbers = 15;

constexpr std::string_view kBase58Digits = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";

/// The first bytes of what the digits stand for, most likely, and no more than a number of ten digits tells.
std::array<std::uint8_t, 5> first_bytes(std::string_view digits) {
  long double leading = 0;
  constexpr std::size_t kLeading = 10;
  for (char c : digits.substr(0, kLeading)) leading = leading * 58 + static_cast<long double>(kBase58Digits.find(c));
  if (leading == 0) return {};  // the digit for zero, and nothing but that: bytes of zero
  // In bytes: log256 of the number. The whole part of it is how many bytes stand behind the first.
  auto const length = std::log2(leading) / 8 + static_cast<long double>(digits.size() - kLeading) * std::log2(58.0L) / 8;
  auto value = std::exp2((length - std::floor(length)) * 8);
  std::array<std::uint8_t, 5> bytes{};
  for (auto& byte : bytes) {
    byte = static_cast<std::uint8_t>(std::min(value, 255.0L));
    value = (value - byte) * 256;
  }
  return bytes;
}

/// Most runs of letters and digits are none: what they would begin with is no text.
void peel_base58(std::string_view digits, Span source, LayerSink const& sink) {
  auto const begin = std::min(digits.find_first_not_of("+/-_"), digits.size());
  digits = digits.substr(begin, digits.find_last_not_of("+/-_") + 1 - begin);
  if (digits.size() < kMinCodedRun || digits.size() > kMaxBase58 || kBase58.run(digits) < digits.size()) return;
  auto const first = first_bytes(digits);
  if (!std::all_of(first.begin(), first.begin() + 4, [](auto byte) { return byte >= ' ' && byte <= '~'; })) return;
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
