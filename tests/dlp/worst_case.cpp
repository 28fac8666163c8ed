// Texts made to cost time: each a short pattern over and over, or one of its kind to the end, for everything that the scanner
// looks at again. The time a byte must not grow with the text, and has a bound.

#include "codings.hpp"
#include "dlp/base_n.hpp"
#include "detector_cases.hpp"

#include <gtest/gtest.h>
#include <time.h>

#include <cstdio>

namespace sallyport::dlp {
namespace {

std::string repeated(std::string_view piece, std::size_t size) {
  std::string text;
  while (text.size() < size) text += piece;
  text.resize(size);
  return text;
}

struct Hostile {
  std::string name;
  std::string pattern;
};

std::string nested_base64(std::string text, int depth) {
  for (int i = 0; i < depth; ++i) text = to_base64(text);
  return text;
}

std::vector<Hostile> hostile_texts() {
  auto const& zlib = test::compressed(Coding::zlib, std::string(60'000, 'a'));
  return {
      {"one letter", "a"},
      {"one digit", "7"},
      {"one capital", "Q"},
      {"bytes above ASCII", "\xe2\x80\x8b"},
      {"an invisible character in each word", "to\xe2\x80\x8bken "},
      {"words of a seed phrase", "legal winner thank year wave sausage worth useful legal winner thank thank "},
      {"one word of a seed phrase", "zoo "},
      {"letters and a seed word", std::string(34, 'x') + "zoo"},
      {"names that say secret", "password=token:secret="},
      {"assignments without an end", "api_key = \"aB3aB3aB3aB3aB3aB3aB3"},
      {"a secret some words behind", "the token is Xk29vQpl2ZzTr8Lm4Nq0Rs6Uv1 "},
      {"prefixes of tokens", "ghp_npm_xoxb-sk-hf_glpat-AKIA"},
      {"a prefix and a neighbour", "ahf_ahf_agsk_"},
      {"cut tokens", "a=ghp_abcdefgh&b="},
      {"PEM begins", "-----BEGIN RSA PRIVATE KEY-----\n"},
      {"headers of JWTs", "eyJhbGciOiJIUzI1NiJ9."},
      {"URLs with passwords", "https://a:b@"},
      {"percent of percent", "%25"},
      {"percent", "%41"},
      {"percent and plus", "%2B+%252B"},
      {"JSON escapes", "\\u0041"},
      {"slashes behind backslashes", "aaaaaaaa\\/"},
      {"entities", "&#x41;"},
      {"entities without an end", "&#x"},
      {"quoted-printable", "=41"},
      {"base 64 in lines", "QUJDREVGR0hJSktMTU5PUFFSU1RVVldYWVpBQkNERUZHSElKS0xNTk9QUVJTVFVWV1hZWg==\n"},
      {"base 64, four deep", nested_base64(std::string(300, 'a'), 4)},
      {"base 64 and slashes", "QUJDREVGR0hJSktMTU5PUFFS/"},
      {"heads of gzip in base 64", "H4sIAAAA"},
      {"hexadecimal", "61626364"},
      {"spaced hexadecimal", "61 62 63 "},
      {"short series of pairs", "61:62:6 "},
      {"base 32", "MFRGGZDFMZTWQ2LK"},
      {"base 85", "AoDr^AoDr^"},
      {"base 85 and signs", "=AoDr^>`(;&"},
      {"ascii85 begins", "<~"},
      {"ascii85 begins and goes on", "<~87cURD]i,\"Ebo80"},
      {"numbers of characters", "97, "},
      {"numbers of all sizes", "1,22,333,"},
      {"heads of zlib", "\x78\x9c"},
      {"heads of zip", "PK\x03\x04"},
      {"streams of zlib", zlib},
      {"streams of zlib, cut", zlib.substr(0, zlib.size() / 2)},
      {"UTF-16", std::string("a\0", 2)},
      {"zeros", std::string(1, '\0')},
      {"labels", "a.b.c."},
      {"values of JSON", "{\"a\":\"b\","},
      {"parts of a path", "/a"},
      {"reversed prefixes", "_phg_mpn"},
  };
}

/// Processor time of this thread.
double seconds() {
  timespec now{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

/// Nanoseconds a byte to search the text; the better of two.
double cost(std::string const& text) {
  double least = 1e9;
  for (int i = 0; i < 2; ++i) {
    auto const begin = seconds();
    scan_message(test::builtin_setup(), text);
    least = std::min(least, seconds() - begin);
  }
  return least * 1e9 / static_cast<double>(text.size());
}

#if defined(__has_feature)
#define SALLYPORT_CHECKED __has_feature(address_sanitizer)
#else
#define SALLYPORT_CHECKED 0
#endif
// Under a sanitizer everything takes ten times as long or more.
constexpr std::size_t kShort = SALLYPORT_CHECKED ? 10'000 : 15'000;  // eight times as much is within one block
constexpr double kMost = SALLYPORT_CHECKED ? 200'000 : 20'000;  // nanoseconds a byte, on a slow machine without vectors

/// What takes the square of the text takes eight times as long a byte for eight times as much.
TEST(WorstCase, TimeOfAByteDoesNotGrowWithTheText) {
  for (auto const& [name, pattern] : hostile_texts()) {
    auto const in_short = cost(repeated(pattern, kShort)), in_long = cost(repeated(pattern, 8 * kShort));
    std::printf("%-40s %8.1f %8.1f ns a byte\n", name.c_str(), in_short, in_long);
    EXPECT_LT(in_long, 4 * in_short + 30) << name;
    EXPECT_LT(in_long, kMost) << name;
  }
}

}  // namespace
}  // namespace sallyport::dlp
