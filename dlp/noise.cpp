#include "dlp/noise.hpp"

#include "dlp/limits.hpp"
#include "dlp/utf8.hpp"

#include <immintrin.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>

namespace sallyport::dlp {
namespace {

bool is_printable(char c) { return c >= ' ' && c <= '~'; }

bool has_text_run_scalar(std::string_view bytes) {
  std::size_t run = 0;
  for (char c : bytes) {
    run = is_printable(c) ? run + 1 : 0;
    if (run >= kMinTextRun) return true;
  }
  return false;
}

bool is_head(char first, char second) {
  switch (first) {
    case '\x78':
      return second == '\x01' || second == '\x5e' || second == '\x9c' || second == '\xda';
    case '\x1f':
      return second == '\x8b';
    case '\x28':
      return second == '\xb5';
    case 'P':
      return second == 'K';
    default:
      return false;
  }
}

__attribute__((target("avx2"))) inline __m256i same(__m256i bytes, char c) {
  return _mm256_cmpeq_epi8(bytes, _mm256_set1_epi8(c));
}

std::size_t find_head_scalar(std::string_view text, std::size_t from) {
  for (; from + 2 <= text.size(); ++from) {
    if (is_head(text[from], text[from + 1])) return from;
  }
  return std::string_view::npos;
}

__attribute__((target("avx2"))) inline __m256i load(char const* bytes) {
  // SAFETY: the callers give 32 bytes.
  return _mm256_loadu_si256(reinterpret_cast<__m256i const*>(bytes));
}

__attribute__((target("avx2"))) inline std::uint32_t mask_of(__m256i bytes) {
  return static_cast<std::uint32_t>(_mm256_movemask_epi8(bytes));
}

__attribute__((target("avx2"))) inline std::uint32_t head_mask(__m256i first, __m256i second) {
  __m256i zlib = _mm256_or_si256(_mm256_or_si256(same(second, '\x01'), same(second, '\x5e')),
                                 _mm256_or_si256(same(second, '\x9c'), same(second, '\xda')));
  __m256i heads = _mm256_and_si256(same(first, '\x78'), zlib);
  heads = _mm256_or_si256(heads, _mm256_and_si256(same(first, '\x1f'), same(second, '\x8b')));
  heads = _mm256_or_si256(heads, _mm256_and_si256(same(first, '\x28'), same(second, '\xb5')));
  return mask_of(_mm256_or_si256(heads, _mm256_and_si256(same(first, 'P'), same(second, 'K'))));
}

__attribute__((target("avx2"))) inline std::uint32_t printable_mask(__m256i bytes) {
  __m256i above = _mm256_cmpgt_epi8(bytes, _mm256_set1_epi8(0x1f));  // bytes from 0x80 on are negative
  return mask_of(_mm256_andnot_si256(same(bytes, 0x7f), above));
}

/// The bytes at `at`, and zeros behind the end of the text.
struct Padded {
  std::array<char, 64> bytes{};
  Padded(std::string_view text, std::size_t at) { std::memcpy(bytes.data(), text.data() + at, text.size() - at); }
};

__attribute__((target("avx2"))) std::size_t find_head_wide(std::string_view text, std::size_t from) {
  for (; from + 33 <= text.size(); from += 32) {
    auto mask = head_mask(load(text.data() + from), load(text.data() + from + 1));
    if (mask != 0) return from + static_cast<std::size_t>(std::countr_zero(mask));
  }
  if (from >= text.size()) return std::string_view::npos;
  Padded last(text, from);
  auto mask = head_mask(load(last.bytes.data()), load(last.bytes.data() + 1));
  return mask != 0 ? from + static_cast<std::size_t>(std::countr_zero(mask)) : std::string_view::npos;
}

static_assert(kMinTextRun == 12, "the shifts below look for twelve");

bool has_text_run(std::uint32_t mask, std::uint32_t before) {
  auto both = static_cast<std::uint64_t>(mask) << 32 | before;  // what ended before goes on here
  auto runs = both & both >> 1;
  runs &= runs >> 2;
  runs &= runs >> 4;
  return (runs & runs >> 4) != 0;
}

/// Whether a run of printable bytes, a head, or many zeros are there.
__attribute__((target("avx2"))) bool has_signs_wide(std::string_view bytes) {
  std::uint32_t before = 0;
  int zeros = 0;
  std::size_t at = 0;
  for (; at + 33 <= bytes.size(); at += 32) {
    __m256i text = load(bytes.data() + at);
    auto mask = printable_mask(text);
    if (has_text_run(mask, before) || head_mask(text, load(bytes.data() + at + 1)) != 0) return true;
    zeros += std::popcount(mask_of(same(text, '\0')));
    before = mask;
  }
  if (at < bytes.size()) {
    Padded last(bytes, at);
    __m256i text = load(last.bytes.data());
    auto mask = printable_mask(text);
    if (has_text_run(mask, before) || head_mask(text, load(last.bytes.data() + 1)) != 0) return true;
    zeros += std::popcount(mask_of(same(text, '\0'))) - static_cast<int>(32 - std::min<std::size_t>(32, bytes.size() - at));
  }
  return zeros * 4 > static_cast<int>(bytes.size());
}

bool has_signs_scalar(std::string_view bytes) {
  if (has_text_run_scalar(bytes) || find_head_scalar(bytes, 0) != std::string_view::npos) return true;
  return std::count(bytes.begin(), bytes.end(), '\0') * 4 > static_cast<std::ptrdiff_t>(bytes.size());
}

/// Whether `bytes` are UTF-8 to their end, where a character may be cut.
bool is_utf8(std::string_view bytes) {
  std::size_t at = 0;
  while (at < bytes.size()) {
    auto length = first_code_point(bytes.substr(at)).length;
    if (length == 0) break;
    at += length;
  }
  return bytes.size() - at < 4;
}

}  // namespace

std::size_t find_head_bytes(std::string_view text, std::size_t from, Lanes lanes) {
  return lanes == Lanes::avx2 ? find_head_wide(text, from) : find_head_scalar(text, from);
}

bool is_noise(std::string_view bytes, Lanes lanes) {
  bool signs = lanes == Lanes::avx2 ? has_signs_wide(bytes) : has_signs_scalar(bytes);
  return !signs && !is_utf8(bytes);
}

bool is_mostly_text(std::string_view bytes) {
  auto text = std::count_if(bytes.begin(), bytes.end(), [](char c) { return is_printable(c) || c == '\n' || c == '\r' || c == '\t'; });
  return static_cast<std::size_t>(text) * 16 >= bytes.size() * 15;
}

}  // namespace sallyport::dlp
