#include "dlp/wide_digits.hpp"

#include "dlp/base_n.hpp"
#include "dlp/limits.hpp"

#include <immintrin.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>

namespace sallyport::dlp {
namespace {

/// Values of 32 digits: the URL-safe signs first become those of the standard alphabet, then a table by the upper half-byte
/// says what to add.
__attribute__((target("avx2"))) inline __m256i base64_values(__m256i digits) {
  __m256i const plus = _mm256_set1_epi8('+'), slash = _mm256_set1_epi8('/');
  digits = _mm256_blendv_epi8(digits, plus, _mm256_cmpeq_epi8(digits, _mm256_set1_epi8('-')));
  digits = _mm256_blendv_epi8(digits, slash, _mm256_cmpeq_epi8(digits, _mm256_set1_epi8('_')));
  // Upper half 2: '+' by 19, and '/' by 16, which the comparison moves to place 1; 3: digits; 4, 5: capitals; 6, 7: small letters.
  __m256i const shifts = _mm256_setr_epi8(0, 16, 19, 4, -65, -65, -71, -71, 0, 0, 0, 0, 0, 0, 0, 0,  //
                                          0, 16, 19, 4, -65, -65, -71, -71, 0, 0, 0, 0, 0, 0, 0, 0);
  __m256i upper = _mm256_and_si256(_mm256_srli_epi16(digits, 4), _mm256_set1_epi8(0x0f));
  __m256i place = _mm256_add_epi8(upper, _mm256_cmpeq_epi8(digits, slash));
  return _mm256_add_epi8(digits, _mm256_shuffle_epi8(shifts, place));
}

/// 32 values of six bits as 24 bytes, the rest of the register undefined.
__attribute__((target("avx2"))) inline __m256i packed(__m256i values) {
  __m256i pairs = _mm256_maddubs_epi16(values, _mm256_set1_epi32(0x01400140));
  __m256i groups = _mm256_madd_epi16(pairs, _mm256_set1_epi32(0x00011000));
  __m256i const order = _mm256_setr_epi8(2, 1, 0, 6, 5, 4, 10, 9, 8, 14, 13, 12, -1, -1, -1, -1,  //
                                         2, 1, 0, 6, 5, 4, 10, 9, 8, 14, 13, 12, -1, -1, -1, -1);
  return _mm256_permutevar8x32_epi32(_mm256_shuffle_epi8(groups, order), _mm256_setr_epi32(0, 1, 2, 4, 5, 6, 7, 7));
}

constexpr auto kBase64Values = [] {
  std::array<std::uint8_t, 128> values{};
  for (std::size_t value = 0; value < kBase64Digits.size(); ++value) values[static_cast<unsigned char>(kBase64Digits[value])] = static_cast<std::uint8_t>(value);
  values['-'] = 62;
  values['_'] = 63;
  return values;
}();

/// Where the 48 bytes of sixteen groups stand, the highest of each first; the rest is undefined.
constexpr auto kGroupBytes = [] {
  std::array<std::uint8_t, 64> places{};
  for (std::size_t i = 0; i < 48; ++i) places[i] = static_cast<std::uint8_t>(i / 3 * 4 + 2 - i % 3);
  return places;
}();

SALLYPORT_AVX512 void base64_avx512(std::string_view digits, char* out) {
  static constexpr auto kValues = kBase64Values;
  static constexpr auto kOrder = kGroupBytes;
  // SAFETY: the tables have the sizes that are read; no digit behind the last is; `out` has 64 bytes beyond what they decode to.
  __m512i const low = _mm512_loadu_si512(kValues.data()), high = _mm512_loadu_si512(kValues.data() + 64);
  __m512i const order = _mm512_loadu_si512(kOrder.data());
  for (std::size_t at = 0; at < digits.size(); at += 64, out += 48) {
    auto const count = std::min<std::size_t>(64, digits.size() - at);
    __m512i const text = _mm512_maskz_loadu_epi8(~std::uint64_t{0} >> (64 - count), digits.data() + at);
    __m512i const values = _mm512_permutex2var_epi8(low, text, high);
    __m512i const pairs = _mm512_maddubs_epi16(values, _mm512_set1_epi32(0x01400140));
    __m512i const groups = _mm512_madd_epi16(pairs, _mm512_set1_epi32(0x00011000));
    _mm512_storeu_si512(out, _mm512_permutexvar_epi8(order, groups));
  }
}

/// The start of a buffer that has room for so many bytes, and what is written behind them.
char* room_for(std::string& buffer, std::size_t size) {
  constexpr std::size_t kBehind = 64;
  if (buffer.size() < size + kBehind) buffer.resize(size + kBehind);
  return buffer.data();
}

/// How many digits were decoded.
__attribute__((target("avx2"))) std::size_t base64_wide(std::string_view digits, char* out) {
  std::size_t at = 0;
  for (; at + 32 <= digits.size(); at += 32, out += 24) {
    // SAFETY: 32 digits are left by the loop's condition; `out` has 8 bytes beyond what the digits decode to.
    __m256i text = _mm256_loadu_si256(reinterpret_cast<__m256i const*>(digits.data() + at));
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(out), packed(base64_values(text)));
  }
  return at;
}

__attribute__((target("avx2"))) std::size_t hex_wide(std::string_view digits, char* out) {
  std::size_t at = 0;
  for (; at + 32 <= digits.size(); at += 32, out += 16) {
    // SAFETY: 32 digits are left by the loop's condition; `out` has room for what they decode to.
    __m256i text = _mm256_loadu_si256(reinterpret_cast<__m256i const*>(digits.data() + at));
    __m256i letter = _mm256_cmpgt_epi8(text, _mm256_set1_epi8('9'));
    __m256i value = _mm256_add_epi8(_mm256_and_si256(text, _mm256_set1_epi8(0x0f)), _mm256_and_si256(letter, _mm256_set1_epi8(9)));
    __m256i pairs = _mm256_maddubs_epi16(value, _mm256_set1_epi16(0x0110));
    __m256i bytes = _mm256_permute4x64_epi64(_mm256_packus_epi16(pairs, pairs), 0x08);
    _mm_storeu_si128(reinterpret_cast<__m128i*>(out), _mm256_castsi256_si128(bytes));
  }
  return at;
}

/// Whether `length` bits in a row are set; what ended in the 32 digits before goes on here.
bool has_run(std::uint32_t mask, std::uint32_t before, unsigned length) {
  auto runs = static_cast<std::uint64_t>(mask) << 32 | before;
  unsigned have = 1;
  for (; have * 2 <= length; have *= 2) runs &= runs >> have;
  return (runs & runs >> (length - have)) != 0;
}

__attribute__((target("avx2"))) inline std::uint32_t mask_of(__m256i bytes) {
  return static_cast<std::uint32_t>(_mm256_movemask_epi8(bytes));
}

__attribute__((target("avx2"))) unsigned hex_alignments_wide(std::string_view digits) {
  unsigned found = 0;
  std::array<std::uint32_t, 2> before{};
  std::array<char, 32> last;
  for (std::size_t at = 0; at < digits.size(); at += 32) {
    auto const* bytes = digits.data() + at;
    auto left = digits.size() - at;
    if (left < 32) {
      last.fill('f');
      std::copy_n(bytes, left, last.begin());
      bytes = last.data();
    }
    // SAFETY: 32 digits, by the above.
    __m256i text = _mm256_loadu_si256(reinterpret_cast<__m256i const*>(bytes));
    __m256i above = _mm256_cmpgt_epi8(text, _mm256_set1_epi8('7'));
    __m256i in_row = _mm256_andnot_si256(above, _mm256_cmpgt_epi8(text, _mm256_set1_epi8('1')));
    auto high = mask_of(_mm256_or_si256(in_row, _mm256_cmpeq_epi8(text, _mm256_set1_epi8('0'))));  // 0: UTF-16
    for (unsigned phase = 0; phase < 2; ++phase) {
      auto mask = high | 0xaaaaaaaau >> phase;
      if (left < 32) mask &= (1u << left) - 1;
      if (has_run(mask, before[phase], 2 * kMinTextRun - 1)) found |= 1u << phase;
      before[phase] = mask;
    }
  }
  return found;
}

/// Slow twin: decodes and looks.
unsigned hex_alignments_scalar(std::string_view digits) {
  unsigned found = 0;
  std::string buffer;
  for (unsigned skip = 0; skip < 2 && skip < digits.size(); ++skip) {
    std::size_t run = 0;
    for (char c : decode_hex_run(digits.substr(skip), buffer, Lanes::scalar)) {
      run = static_cast<unsigned char>(c) < 0x80 ? run + 1 : 0;
      if (run >= kMinTextRun) found |= 1u << skip;
    }
  }
  return found;
}

}  // namespace

unsigned text_alignments_hex(std::string_view digits, Lanes lanes) {
  return lanes != Lanes::scalar ? hex_alignments_wide(digits) : hex_alignments_scalar(digits);
}

std::string_view decode_base64_run(std::string_view digits, std::string& buffer, Lanes lanes) {
  auto const size = digits.size() * 6 / 8;
  auto* const out = room_for(buffer, size);
  if (lanes == Lanes::scalar) {
    buffer.clear();
    decode_base64(digits, buffer);
    return buffer;
  }
  if (lanes == Lanes::avx512) {
    base64_avx512(digits, out);
    return {out, size};
  }
  auto used = base64_wide(digits, out);
  std::array<char, 32> last;
  last.fill('A');
  std::copy(digits.begin() + static_cast<std::ptrdiff_t>(used), digits.end(), last.begin());
  base64_wide({last.data(), last.size()}, out + used / 4 * 3);
  return {out, size};
}

std::string_view decode_hex_run(std::string_view digits, std::string& buffer, Lanes lanes) {
  auto const size = digits.size() / 2;
  auto* const out = room_for(buffer, size);
  std::size_t used = 0;
  if (lanes != Lanes::scalar) {
    used = hex_wide(digits, out);
    std::array<char, 32> last;
    last.fill('0');
    std::copy(digits.begin() + static_cast<std::ptrdiff_t>(used), digits.end(), last.begin());
    hex_wide({last.data(), last.size()}, out + used / 2);
  } else {
    for (; used + 2 <= digits.size(); used += 2) {
      out[used / 2] = static_cast<char>(hex_value(digits[used]) << 4 | hex_value(digits[used + 1]));
    }
  }
  return {out, size};
}

}  // namespace sallyport::dlp
