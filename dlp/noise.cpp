#include "dlp/noise.hpp"

#include "dlp/decompressor.hpp"
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

/// Twelve printable bytes in a row are chance in a long text.
std::size_t text_run_of(std::string_view bytes) { return bytes.size() < kLongNoise ? kMinTextRun : kMinLongTextRun; }

bool has_text_run_scalar(std::string_view bytes) {
  auto const min = text_run_of(bytes);
  std::size_t run = 0;
  for (char c : bytes) {
    run = is_printable(c) ? run + 1 : 0;
    if (run >= min) return true;
  }
  return false;
}

constexpr bool is_head(char first, char second) {
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

/// Whether so many bits in a row are set.
constexpr bool has_run(std::uint64_t mask, std::size_t length) {
  static_assert(kMinTextRun >= 8 && kMinLongTextRun <= 16, "the shifts below look for eight, and as many more");
  auto runs = mask & mask >> 1;
  runs &= runs >> 2;
  runs &= runs >> 4;
  return (runs & runs >> (length - 8)) != 0;
}

__attribute__((target("avx2"))) bool has_text_run_avx2(std::string_view bytes) {
  auto const min = text_run_of(bytes);
  std::uint32_t before = 0;
  for (std::size_t at = 0; at < bytes.size(); at += 32) {
    auto const mask = bytes.size() - at >= 32 ? printable_mask(load(bytes.data() + at)) : printable_mask(load(Padded(bytes, at).bytes.data()));
    if (has_run(static_cast<std::uint64_t>(mask) << 32 | before, min)) return true;  // what ended before goes on here
    before = mask;
  }
  return false;
}

/// Whether many of the bytes are zero.
__attribute__((target("avx2"))) bool has_zeros_avx2(std::string_view bytes) {
  std::size_t zeros = 0;
  for (std::size_t at = 0; at < bytes.size(); at += 32) {
    auto const left = std::min<std::size_t>(32, bytes.size() - at);
    auto const mask = mask_of(same(left == 32 ? load(bytes.data() + at) : load(Padded(bytes, at).bytes.data()), '\0'));
    zeros += static_cast<std::size_t>(std::popcount(left == 32 ? mask : mask & ((1u << left) - 1)));
  }
  return zeros * 4 > bytes.size();
}

/// A bit for each kind of head: at its first byte, and at its second, of which the highest bit is left out.
struct HeadTables {
  std::array<std::uint8_t, 128> first{};
  std::array<std::uint8_t, 128> second{};
};

alignas(64) constexpr HeadTables kHeads = [] {
  HeadTables tables;
  for (unsigned first = 0, bit = 1; first < 128; ++first) {
    bool begins = false;
    for (unsigned second = 0; second < 256; ++second) {
      if (!is_head(static_cast<char>(first), static_cast<char>(second))) continue;
      tables.first[first] = static_cast<std::uint8_t>(bit);
      tables.second[second & 127] |= static_cast<std::uint8_t>(bit);
      begins = true;
    }
    if (begins) bit <<= 1;
  }
  return tables;
}();

/// The places of 64 bytes at which a head may stand. REQUIRES that they are followed by `next`.
SALLYPORT_AVX512 inline std::uint64_t heads_avx512(__m512i bytes, __m512i next) {
  // SAFETY: the tables have 128 bytes.
  __m512i const first = _mm512_permutex2var_epi8(_mm512_loadu_si512(kHeads.first.data()), bytes, _mm512_loadu_si512(kHeads.first.data() + 64));
  __m512i const second = _mm512_permutex2var_epi8(_mm512_loadu_si512(kHeads.second.data()), next, _mm512_loadu_si512(kHeads.second.data() + 64));
  return _mm512_test_epi8_mask(first, second);
}

/// The bits of the first `count` of 64 places.
constexpr std::uint64_t first_bits(std::size_t count) { return count >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << count) - 1; }

SALLYPORT_AVX512 std::size_t find_head_avx512(std::string_view text, std::size_t from) {
  for (; from + 2 <= text.size(); from += 64) {
    auto const left = text.size() - from;
    // SAFETY: nothing behind the text is read; zero is no head's second byte.
    __m512i const bytes = _mm512_maskz_loadu_epi8(first_bits(left), text.data() + from);
    __m512i const next = _mm512_maskz_loadu_epi8(first_bits(left - 1), text.data() + from + 1);
    for (auto mask = heads_avx512(bytes, next); mask != 0; mask &= mask - 1) {
      auto const place = from + static_cast<std::size_t>(std::countr_zero(mask));
      if (is_head(text[place], text[place + 1])) return place;
    }
  }
  return std::string_view::npos;
}

SALLYPORT_AVX512 bool has_text_run_avx512(std::string_view bytes) {
  auto const min = text_run_of(bytes);
  std::size_t before = 0;  // printable bytes in a row in front of these
  for (std::size_t at = 0; at < bytes.size(); at += 64) {
    // SAFETY: nothing behind the bytes is read.
    __m512i const text = _mm512_maskz_loadu_epi8(first_bits(bytes.size() - at), bytes.data() + at);
    auto const printable = _mm512_cmplt_epu8_mask(_mm512_sub_epi8(text, _mm512_set1_epi8(' ')), _mm512_set1_epi8('~' - ' ' + 1));
    if (has_run(printable, min) || before + static_cast<std::size_t>(std::countr_one(printable)) >= min) return true;
    before = static_cast<std::size_t>(std::countl_one(printable));  // were all of them, that would be a run
  }
  return false;
}

SALLYPORT_AVX512 bool has_zeros_avx512(std::string_view bytes) {
  std::size_t zeros = 0;
  for (std::size_t at = 0; at < bytes.size(); at += 64) {
    auto const there = first_bits(bytes.size() - at);
    __m512i const text = _mm512_maskz_loadu_epi8(there, bytes.data() + at);  // SAFETY: as above
    zeros += static_cast<std::size_t>(std::popcount(_mm512_mask_cmpeq_epi8_mask(there, text, _mm512_setzero_si512())));
  }
  return zeros * 4 > bytes.size();
}

bool has_zeros_scalar(std::string_view bytes) {
  return std::count(bytes.begin(), bytes.end(), '\0') * 4 > static_cast<std::ptrdiff_t>(bytes.size());
}

bool has_zeros(std::string_view bytes, Lanes lanes) {
  if (lanes == Lanes::avx512) return has_zeros_avx512(bytes);
  return lanes == Lanes::avx2 ? has_zeros_avx2(bytes) : has_zeros_scalar(bytes);
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
  if (lanes == Lanes::avx512) return find_head_avx512(text, from);
  return lanes == Lanes::avx2 ? find_head_wide(text, from) : find_head_scalar(text, from);
}

bool has_text_run(std::string_view bytes, Lanes lanes) {
  if (lanes == Lanes::avx512) return has_text_run_avx512(bytes);
  return lanes == Lanes::avx2 ? has_text_run_avx2(bytes) : has_text_run_scalar(bytes);
}

bool is_noise(std::string_view bytes, Lanes lanes) {
  PackedStart start;
  return !has_text_run(bytes, lanes) && !has_zeros(bytes, lanes) && !find_packed(bytes, 0, start) && !is_utf8(bytes);
}

bool is_mostly_text(std::string_view bytes) {
  auto others = bytes.size() / 16;  // so many bytes may be something else
  for (char c : bytes) {
    bool const text = is_printable(c) || c == '\n' || c == '\r' || c == '\t';
    if (!text && others-- == 0) return false;
  }
  return true;
}

}  // namespace sallyport::dlp
