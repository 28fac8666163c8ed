#include "dlp/escape_marks.hpp"

#include "dlp/byte_set.hpp"

#include <immintrin.h>

#include <array>
#include <bit>
#include <cstdint>

namespace sallyport::dlp {
namespace {

void note(EscapeMarks& marks, char mark, std::size_t at) {
  switch (mark) {
    case '%':
      return marks.percent.push_back(at);
    case '\\':
      return marks.backslash.push_back(at);
    case '&':
      return marks.entity.push_back(at);
    default:
      return marks.equals.push_back(at);
  }
}

constexpr bool may_begin(char mark, char next) {
  switch (mark) {
    case '%':
      return kHex.contains(next);
    case '\\':
      return next == 'u' || next == 'x' || next == '0' || next == '1' || next == '/';
    case '&':
      return next == '#' || kLetters.contains(next);
    case '=':
      return (next >= '0' && next <= '7') || next == '\r' || next == '\n';
    default:
      return false;
  }
}

void find_scalar(std::string_view text, std::size_t from, EscapeMarks& marks) {
  for (auto at = from; at + 1 < text.size(); ++at) {
    if (may_begin(text[at], text[at + 1])) note(marks, text[at], at);
  }
}

__attribute__((target("avx2"))) inline __m256i same(__m256i bytes, char c) {
  return _mm256_cmpeq_epi8(bytes, _mm256_set1_epi8(c));
}

/// Bytes of `first` to `last`, both below 0x7f.
__attribute__((target("avx2"))) inline __m256i within(__m256i bytes, char first, char last) {
  __m256i from = _mm256_cmpgt_epi8(bytes, _mm256_set1_epi8(static_cast<char>(first - 1)));
  return _mm256_andnot_si256(_mm256_cmpgt_epi8(bytes, _mm256_set1_epi8(last)), from);
}

/// Which of 32 bytes are marks, with one that can follow behind them. REQUIRES 33 bytes.
__attribute__((target("avx2"))) inline std::uint32_t marks_wide(char const* text) {
  // SAFETY: the caller gives 33 bytes.
  __m256i mark = _mm256_loadu_si256(reinterpret_cast<__m256i const*>(text));
  __m256i next = _mm256_loadu_si256(reinterpret_cast<__m256i const*>(text + 1));
  __m256i small = _mm256_or_si256(next, _mm256_set1_epi8(0x20));
  __m256i hex = _mm256_or_si256(within(next, '0', '9'), within(small, 'a', 'f'));
  __m256i letter = _mm256_or_si256(within(small, 'a', 'z'), same(next, '#'));
  __m256i escape = _mm256_or_si256(_mm256_or_si256(same(next, 'u'), same(next, 'x')), within(next, '/', '1'));
  __m256i quoted = _mm256_or_si256(within(next, '0', '7'), _mm256_or_si256(same(next, '\r'), same(next, '\n')));
  __m256i found = _mm256_or_si256(
      _mm256_or_si256(_mm256_and_si256(same(mark, '%'), hex), _mm256_and_si256(same(mark, '\\'), escape)),
      _mm256_or_si256(_mm256_and_si256(same(mark, '&'), letter), _mm256_and_si256(same(mark, '='), quoted)));
  return static_cast<std::uint32_t>(_mm256_movemask_epi8(found));
}

__attribute__((target("avx2"))) void find_wide(std::string_view text, EscapeMarks& marks) {
  std::size_t at = 0;
  for (; at + 33 <= text.size(); at += 32) {
    for (auto mask = marks_wide(text.data() + at); mask != 0; mask &= mask - 1) {
      auto place = at + static_cast<std::size_t>(std::countr_zero(mask));
      note(marks, text[place], place);
    }
  }
  find_scalar(text, at, marks);
}

/// A bit for each mark, and for each byte those that it can follow.
struct MarkTables {
  std::array<std::uint8_t, 128> marks{};
  std::array<std::uint8_t, 128> nexts{};
};

alignas(64) constexpr MarkTables kMarkTables = [] {
  constexpr std::string_view kMarks = "%\\&=";
  MarkTables tables;
  for (std::size_t i = 0; i < kMarks.size(); ++i) {
    auto const bit = static_cast<std::uint8_t>(1u << i);
    tables.marks[static_cast<unsigned char>(kMarks[i])] = bit;
    for (unsigned next = 0; next < 128; ++next) {
      if (may_begin(kMarks[i], static_cast<char>(next))) tables.nexts[next] |= bit;
    }
  }
  return tables;
}();

/// Bytes from 0x80 on look like others to the tables, and are told apart one by one.
SALLYPORT_AVX512 void find_avx512(std::string_view text, EscapeMarks& marks) {
  // SAFETY: the tables have 128 bytes, and 65 are left of the text by the loop's condition.
  __m512i const marks_low = _mm512_loadu_si512(kMarkTables.marks.data()), marks_high = _mm512_loadu_si512(kMarkTables.marks.data() + 64);
  __m512i const nexts_low = _mm512_loadu_si512(kMarkTables.nexts.data()), nexts_high = _mm512_loadu_si512(kMarkTables.nexts.data() + 64);
  std::size_t at = 0;
  for (; at + 65 <= text.size(); at += 64) {
    __m512i const mark = _mm512_permutex2var_epi8(marks_low, _mm512_loadu_si512(text.data() + at), marks_high);
    __m512i const next = _mm512_permutex2var_epi8(nexts_low, _mm512_loadu_si512(text.data() + at + 1), nexts_high);
    for (auto mask = _mm512_test_epi8_mask(mark, next); mask != 0; mask &= mask - 1) {
      auto const place = at + static_cast<std::size_t>(std::countr_zero(mask));
      if (may_begin(text[place], text[place + 1])) note(marks, text[place], place);
    }
  }
  find_scalar(text, at, marks);
}

}  // namespace

EscapeMarks find_escape_marks(std::string_view text, Lanes lanes) {
  EscapeMarks marks;
  if (lanes == Lanes::avx512)
    find_avx512(text, marks);
  else if (lanes == Lanes::avx2)
    find_wide(text, marks);
  else
    find_scalar(text, 0, marks);
  return marks;
}

}  // namespace sallyport::dlp
