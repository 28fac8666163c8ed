// Any bytes, searched with every set of vector instructions that this processor has: all find the same. What unpacks as raw
// deflate is never turned down by its first bytes.

#include "dlp/decompressor.hpp"
#include "dlp/deflate_head.hpp"
#include "dlp/escape_marks.hpp"
#include "dlp/noise.hpp"
#include "dlp/rule_set.hpp"
#include "dlp/run_finder.hpp"
#include "dlp/run_signs.hpp"
#include "dlp/wide_digits.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <tuple>

namespace {

using namespace sallyport::dlp;

auto searched(std::string_view text, Lanes lanes) {
  static auto const rules = RuleSet::builtin();
  static RunFinder const digits(kAnyBase64, 20), hex(kHex, 47);
  std::vector<Span> runs;
  digits.find(text, runs, lanes);
  hex.find(text, runs, lanes);
  std::vector<LiteralHit> hits;
  rules->plain().find(text, hits, lanes);
  std::sort(hits.begin(), hits.end(), [](auto const& a, auto const& b) { return std::pair(a.position, a.literal) < std::pair(b.position, b.literal); });
  auto const marks = find_escape_marks(text, lanes);
  return std::tuple(runs, hits, marks.percent, marks.backslash, marks.entity, marks.equals, find_head_bytes(text, 0, lanes),
                    has_text_run(text, lanes), is_noise(text, lanes));
}

auto looked_at(std::string_view digits, Lanes lanes) {
  std::string buffer;
  auto const signs = signs_of_run(digits, lanes);
  return std::tuple(signs.text, signs.packed, signs.hex, signs.base32, signs.lower_base32, std::string(decode_base64_run(digits, buffer, lanes)));
}

bool unpacks_to_text(std::string_view bytes) {
  constexpr std::size_t kShortest = 15;
  std::array<char, 64> out;
  auto const decompressor = make_decompressor(Coding::deflate);
  auto const step = decompressor->step(bytes, out);
  return step.state == StreamState::ended && step.produced >= kShortest;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
  // SAFETY: the fuzzer's bytes are read as characters.
  std::string_view const text(reinterpret_cast<char const*>(data), size);
  std::string digits;
  for (char c : text) {
    if (kAnyBase64.contains(c)) digits += c;
  }
  auto const found = searched(text, Lanes::scalar);
  auto const seen = looked_at(digits, Lanes::scalar);
  for (auto lanes : possible_lanes()) {
    if (searched(text, lanes) != found || looked_at(digits, lanes) != seen) __builtin_trap();
  }
  if (unpacks_to_text(text) && !may_begin_deflate(text)) __builtin_trap();
  return 0;
}
