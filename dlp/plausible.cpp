#include "dlp/plausible.hpp"

#include "base/ascii.hpp"
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

/// Pieces of values that vendors' documentation and standards print as examples, long enough to be of nothing else:
/// RFC 6749's, PyJWT's, GitHub's, jwt.io's, Stripe's, Google's, Azurite's, RFC 7617's, and numbers of cards for tests.
constexpr std::array<std::string_view, 16> kPublished = {
    "czZCaGRSa3F0MzpnWDFmQmF0M2JW", "eyJzb21lIjoicGF5bG9hZCJ9",
    "16C7e42F292c6912",     "SflKxwRJSMeKKF2QT4",   "4eC39HqLyjWDarjt", "BQokikJOvBiI2HlW",      "aSyDaGmWKa4JsXZ-HjG",
    "Eby8vdM02xNOcqFlqUwJ", "QWxhZGRpbjpvcGVuIHNl", "4242424242424242", "4111111111111111",      "4242 4242 4242 4242",
    "4111 1111 1111 1111",  "5555555555554444",     "378282246310005",  "DE89370400440532013000"};

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

/// Bytes that belong to words: three small letters or more, or two behind a capital; four capitals or more; and separators.
std::size_t word_bytes(std::string_view text) {
  constexpr ByteSet kSeparators = ByteSet::of("_./-");
  std::size_t words = 0;
  for (std::size_t at = 0; at < text.size();) {
    auto kind = kind_of(text[at]);
    auto end = at;
    while (end < text.size() && kind_of(text[end]) == kind) ++end;
    bool behind_capital = at > 0 && kind_of(text[at - 1]) == Kind::upper;
    bool small = kind == Kind::lower && end - at >= (behind_capital ? 2u : 3u);
    bool capitals = kind == Kind::upper && end - at >= 4;
    if (small || capitals || kSeparators.contains(text[at])) words += end - at;
    if (small && behind_capital) ++words;
    at = end;
  }
  return words;
}

std::size_t digits_in(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) { return kDigits.contains(c); }));
}

/// What commits, checksums, UUIDs and fingerprints are written as.
bool is_digest(std::string_view value) {
  constexpr ByteSet kHexParts = ByteSet::of("0-9A-Fa-f-");
  return kHexParts.run(value) == value.size() || lower_case(value.substr(0, 3)) == "sha";
}

/// Made of words, like an identifier or a path, with hardly a digit.
bool is_wordy(std::string_view text) {
  return word_bytes(text) * 100 > text.size() * 85 && digits_in(text) * 8 < text.size();
}

/// `a_1.b.WORD_S`: names joined by dots, the last without digits.
bool is_member(std::string_view value) {
  constexpr ByteSet kNameStart = ByteSet::of("A-Za-z_"), kName = ByteSet::of("A-Za-z0-9_");
  auto const dot = value.rfind('.');
  constexpr ByteSet kWords = ByteSet::of("A-Za-z_");
  if (dot == std::string_view::npos || kWords.run(value.substr(dot + 1)) + dot + 1 < value.size()) return false;
  for (std::size_t at = 0; at < value.size();) {
    auto const length = kName.run(value.substr(at));
    if (length == 0 || !kNameStart.contains(value[at])) return false;
    at += length;
    if (at < value.size() && value[at++] != '.') return false;
  }
  return true;
}

bool is_identifier(std::string_view value) {
  constexpr ByteSet kIdentifier = ByteSet::of("A-Za-z0-9_$");
  return !value.empty() && !kDigits.contains(value[0]) && kIdentifier.run(value) == value.size();
}

/// `Base64URLString`, `ArrowToken$1`: a capital, and mostly words.
bool is_type_name(std::string_view value) {
  return is_identifier(value) && kind_of(value[0]) == Kind::upper && word_bytes(value) * 100 >= value.size() * 60;
}

/// `a=b.c=d.E`: what is assigned along a chain.
bool is_chain(std::string_view value) {
  bool members = false;
  for (std::size_t at = 0; at <= value.size();) {
    auto const end = std::min(value.find('=', at), value.size());
    auto const part = value.substr(at, end - at);
    members = members || is_member(part);
    if (!is_member(part) && !is_identifier(part)) return false;
    at = end + 1;
  }
  return members;
}

/// `/v1/accounts:signIn`: a path of words.
bool is_route(std::string_view value) { return value.starts_with('/') && word_bytes(value) * 100 >= value.size() * 70; }

/// RFC 3339: `2016-09-08T21:47:36Z`.
bool is_timestamp(std::string_view value) {
  return value.size() >= 16 && kDigits.run(value) == 4 && value[4] == '-' && value[7] == '-' && value[10] == 'T' &&
         value[13] == ':';
}

bool has_operator(std::string_view value) {
  constexpr std::string_view kOperators[] = {"::", "://", "urn:", "?.", "??", "!!"};
  return std::any_of(std::begin(kOperators), std::end(kOperators),
                     [&](auto each) { return value.find(each) != std::string_view::npos; });
}

}  // namespace

bool is_code(std::string_view value, char next) {
  bool const called = next == '(' || next == '[' || value.ends_with('?');
  bool const typed = (next == ';' || next == ',' || next == ')') && is_type_name(value);
  return called || typed || has_operator(value) || is_member(value) || is_chain(value) || is_route(value) ||
         is_timestamp(value);
}

double entropy(std::string_view text) {
  std::array<double, 256> counts{};
  for (char c : text) counts[static_cast<unsigned char>(c)] += 1;
  double bits = 0;
  for (double count : counts) {
    if (count > 0) bits -= count * std::log2(count / static_cast<double>(text.size()));
  }
  return text.empty() ? 0 : bits / static_cast<double>(text.size());
}

bool is_published(std::string_view value) {
  // Keys that vendors mean for browsers: Stripe's and Clerk's, PostHog's, Mapbox's.
  constexpr std::string_view kPublic[] = {"pk_live_", "pk_test_", "phc_", "pk.eyJ"};
  if (std::any_of(std::begin(kPublic), std::end(kPublic), [&](auto prefix) { return value.starts_with(prefix); })) return true;
  return std::any_of(kPublished.begin(), kPublished.end(),
                     [&](auto piece) { return value.find(piece) != std::string_view::npos; });
}

namespace {

/// "fake", "FAKE" and "Fake" are written so; "fAkE" is random.
bool in_one_case(std::string_view word) {
  word.remove_prefix(1);
  auto has = [&](Kind kind) { return std::any_of(word.begin(), word.end(), [&](char c) { return kind_of(c) == kind; }); };
  return !(has(Kind::lower) && has(Kind::upper));
}

}  // namespace

bool is_placeholder(std::string_view value) {
  auto lowered = lower_case(value);
  auto contains = [&](std::string_view word) {
    auto const at = lowered.find(word);
    return at != std::string::npos && (word.size() > 4 || in_one_case(value.substr(at, word.size())));
  };
  if (std::any_of(kPlaceholderWords.begin(), kPlaceholderWords.end(), contains)) return true;
  return distinct_bytes(value) < std::min<std::size_t>(value.size() / 4, 7) + 1;
}

bool is_random(std::string_view value) {
  if (value.size() < 12) return false;
  auto has = [&](Kind kind) { return std::any_of(value.begin(), value.end(), [&](char c) { return kind_of(c) == kind; }); };
  int kinds = has(Kind::digit) + has(Kind::lower) + has(Kind::upper);
  if (kinds < 2) return false;
  if (is_wordy(value)) return false;
  double size = static_cast<double>(value.size());  // what costs least is asked first
  return static_cast<double>(kind_changes(value)) >= size / 5 && !is_placeholder(value) &&
         entropy(value) >= std::min(3.0, std::log2(size) - 0.8);
}

bool is_random_alone(std::string_view value) {
  return digits_in(value) > 0 && !is_digest(value) && word_bytes(value) * 5 < value.size() * 3 && is_random(value);
}

}  // namespace sallyport::dlp
