#include "dlp/plausible.hpp"

#include "dlp/byte_set.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

namespace sallyport::dlp {
namespace {

constexpr std::array<std::string_view, 34> kPlaceholderWords = {
    "example",  "placeholder", "changeme",    "change_me",  "change-me", "redacted",  "dummy",    "your_",    "your-",
    "yourpass", "yourtoken",   "yourkey",     "yoursecret", "insert",    "replace",   "fake",     "sample",   "<",
    "${",       "{{",          "$(",          "xxxx",       "****",      "....",      "12345678", "abcdefgh", "00000000",
    "11111111", "aaaaaaaa",    "process.env", "os.environ", "undefined", "localhost", "____"};

std::string lower_case(std::string_view text) {
  std::string lowered(text);
  for (char& c : lowered) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c + ('a' - 'A'));
  }
  return lowered;
}

std::size_t distinct_bytes(std::string_view text) {
  std::array<bool, 256> seen{};
  for (char c : text) seen[static_cast<unsigned char>(c)] = true;
  return static_cast<std::size_t>(std::count(seen.begin(), seen.end(), true));
}

enum class Kind { digit, lower, upper, other };

Kind kind_of(char c) {
  if (c >= '0' && c <= '9') return Kind::digit;
  if (c >= 'a' && c <= 'z') return Kind::lower;
  return c >= 'A' && c <= 'Z' ? Kind::upper : Kind::other;
}

/// How often the kind of character changes: names and paths change rarely, generated text often.
std::size_t kind_changes(std::string_view text) {
  std::size_t changes = 0;
  for (std::size_t i = 1; i < text.size(); ++i) {
    if (kind_of(text[i]) != kind_of(text[i - 1])) ++changes;
  }
  return changes;
}

std::size_t longest_lower_run(std::string_view text) {
  std::size_t longest = 0, length = 0;
  for (char c : text) {
    length = kind_of(c) == Kind::lower ? length + 1 : 0;
    longest = std::max(longest, length);
  }
  return longest;
}

}  // namespace

double entropy(std::string_view text) {
  std::array<double, 256> counts{};
  for (char c : text) counts[static_cast<unsigned char>(c)] += 1;
  double bits = 0;
  for (double count : counts) {
    if (count > 0) bits -= count * std::log2(count / static_cast<double>(text.size()));
  }
  return text.empty() ? 0 : bits / static_cast<double>(text.size());
}

bool is_placeholder(std::string_view value) {
  auto lowered = lower_case(value);
  auto contains = [&](std::string_view word) { return lowered.find(word) != std::string::npos; };
  if (std::any_of(kPlaceholderWords.begin(), kPlaceholderWords.end(), contains)) return true;
  return distinct_bytes(value) < std::min<std::size_t>(value.size() / 4, 7) + 1;
}

bool is_random(std::string_view value) {
  if (value.size() < 12 || is_placeholder(value)) return false;
  auto has = [&](Kind kind) { return std::any_of(value.begin(), value.end(), [&](char c) { return kind_of(c) == kind; }); };
  if (!has(Kind::digit) || !(has(Kind::lower) || has(Kind::upper))) return false;
  if (longest_lower_run(value) > 7 + value.size() / 32) return false;
  double size = static_cast<double>(value.size());
  return static_cast<double>(kind_changes(value)) >= size / 5 && entropy(value) >= std::min(3.0, std::log2(size) - 0.8);
}

}  // namespace sallyport::dlp
