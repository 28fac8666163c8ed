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

constexpr std::uint32_t kPhase = 0x11111111;  // every fourth digit

/// Whether `length` bits in a row are set; what ended in the 32 digits before goes on here.
bool has_run(std::uint32_t mask, std::uint32_t before, unsigned length) {
  auto runs = static_cast<std::uint64_t>(mask) << 32 | before;
  unsigned have = 1;
  for (; have * 2 <= length; have *= 2) runs &= runs >> have;
  return (runs & runs >> (length - have)) != 0;
}

/// Of the bits of 24-bit groups, those that are zero or set in every ASCII character: see text_alignments_base64.
struct Base64Signs {
  std::uint32_t first = 0;   // may be the first digit of a group that begins with an ASCII character
  std::uint32_t second = 0;  // the second digit, when the second byte is one
  std::uint32_t third = 0;
};

__attribute__((target("avx2"))) inline std::uint32_t mask_of(__m256i bytes) {
  return static_cast<std::uint32_t>(_mm256_movemask_epi8(bytes));
}

__attribute__((target("avx2"))) inline __m256i any_of(__m256i values, char bits) {
  __m256i none = _mm256_cmpeq_epi8(_mm256_and_si256(values, _mm256_set1_epi8(bits)), _mm256_setzero_si256());
  return _mm256_xor_si256(none, _mm256_set1_epi8(-1));
}

__attribute__((target("avx2"))) inline Base64Signs base64_signs(char const* digits) {
  // SAFETY: the caller gives 32 digits.
  __m256i values = base64_values(_mm256_loadu_si256(reinterpret_cast<__m256i const*>(digits)));
  // A byte of ASCII has its highest bit clear: bit 5 of the first digit, 3 of the second, 1 of the third. One that is no
  // control character has one of the next two bits set: 4 and 3 of the first digit, 2 and 1 of the second.
  __m256i first = _mm256_andnot_si256(any_of(values, 0x20), any_of(values, 0x18));
  __m256i second = _mm256_andnot_si256(any_of(values, 0x08), any_of(values, 0x06));
  return {mask_of(first), mask_of(second), ~mask_of(any_of(values, 0x02))};
}

/// Four full groups lie in every fifteen bytes.
constexpr unsigned kTextDigits = 14;  // from the first digit of the first group to the third of the last, at least

__attribute__((target("avx2"))) unsigned base64_alignments_wide(std::string_view digits) {
  unsigned found = 0;
  std::array<std::uint32_t, 4> before{};
  std::array<char, 32> last;
  for (std::size_t at = 0; at < digits.size(); at += 32) {
    auto const* bytes = digits.data() + at;
    auto left = digits.size() - at;
    if (left < 32) {
      last.fill('-');
      std::copy_n(bytes, left, last.begin());
      bytes = last.data();
    }
    auto signs = base64_signs(bytes);
    for (unsigned phase = 0; phase < 4; ++phase) {
      auto at_phase = [&](unsigned digit) { return kPhase << ((phase + digit) % 4); };
      auto mask = (signs.first & at_phase(0)) | (signs.second & at_phase(1)) | (signs.third & at_phase(2)) | at_phase(3);
      if (left < 32) mask &= (1u << left) - 1;
      if (has_run(mask, before[phase], kTextDigits)) found |= 1u << phase;
      before[phase] = mask;
    }
  }
  return found;
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
template <class Decode>
unsigned alignments_scalar(std::string_view digits, unsigned alignments, Decode decode) {
  unsigned found = 0;
  std::string bytes;
  for (unsigned skip = 0; skip < alignments && skip < digits.size(); ++skip) {
    decode(digits.substr(skip), bytes, Lanes::scalar);
    std::size_t run = 0;
    for (char c : bytes) {
      run = static_cast<unsigned char>(c) < 0x80 ? run + 1 : 0;
      if (run >= kMinTextRun) found |= 1u << skip;
    }
  }
  return found;
}

/// gzip, zlib, zstd and zip: their first bytes as digits.
bool is_packed_head(std::string_view digits) {
  if (digits.starts_with("H4sI") || digits.starts_with("KLUv") || digits.starts_with("UEsD")) return true;
  if (digits.size() < 3 || digits[0] != 'e') return false;
  auto between = [&](char first, char last) { return digits[2] >= first && digits[2] <= last; };
  switch (digits[1]) {
    case 'A':
      return between('E', 'H');
    case 'F':
      return between('4', '7');
    case 'J':
      return between('w', 'z');
    case 'N':
      return between('o', 'r');
    default:
      return false;
  }
}

unsigned packed_scalar(std::string_view digits) {
  unsigned found = 0;
  for (std::size_t from = 0; from + 4 <= digits.size(); ++from) {
    if (is_packed_head(digits.substr(from, 4))) found |= 1u << (from % 4);
  }
  return found;
}

__attribute__((target("avx2"))) inline __m256i same(__m256i bytes, char c) { return _mm256_cmpeq_epi8(bytes, _mm256_set1_epi8(c)); }

__attribute__((target("avx2"))) unsigned packed_wide(std::string_view digits) {
  unsigned found = 0;
  std::array<char, 64> last;
  for (std::size_t at = 0; at < digits.size(); at += 32) {
    auto const* bytes = digits.data() + at;
    if (digits.size() - at < 33) {
      last.fill('-');
      std::copy_n(bytes, digits.size() - at, last.begin());
      bytes = last.data();
    }
    // SAFETY: 33 digits, by the above.
    __m256i first = _mm256_loadu_si256(reinterpret_cast<__m256i const*>(bytes));
    __m256i second = _mm256_loadu_si256(reinterpret_cast<__m256i const*>(bytes + 1));
    __m256i zlib = _mm256_or_si256(same(second, 'A'), same(second, 'F'));
    zlib = _mm256_or_si256(zlib, _mm256_or_si256(same(second, 'J'), same(second, 'N')));
    __m256i heads = _mm256_and_si256(same(first, 'e'), zlib);
    heads = _mm256_or_si256(heads, _mm256_and_si256(same(first, 'H'), same(second, '4')));
    heads = _mm256_or_si256(heads, _mm256_and_si256(same(first, 'K'), same(second, 'L')));
    heads = _mm256_or_si256(heads, _mm256_and_si256(same(first, 'U'), same(second, 'E')));
    for (auto mask = mask_of(heads); mask != 0; mask &= mask - 1) {
      auto place = at + static_cast<std::size_t>(std::countr_zero(mask));
      if (is_packed_head(digits.substr(place, 4))) found |= 1u << (place % 4);
    }
  }
  return found;
}

}  // namespace

unsigned text_alignments_base64(std::string_view digits, Lanes lanes) {
  return lanes == Lanes::avx2 ? base64_alignments_wide(digits) : alignments_scalar(digits, 4, decode_base64_run);
}

unsigned text_alignments_hex(std::string_view digits, Lanes lanes) {
  return lanes == Lanes::avx2 ? hex_alignments_wide(digits) : alignments_scalar(digits, 2, decode_hex_run);
}

unsigned packed_alignments_base64(std::string_view digits, Lanes lanes) {
  return lanes == Lanes::avx2 ? packed_wide(digits) : packed_scalar(digits);
}

void decode_base64_run(std::string_view digits, std::string& out, Lanes lanes) {
  if (lanes == Lanes::scalar) {
    out.clear();
    decode_base64(digits, out);
    return;
  }
  auto size = digits.size() * 6 / 8;
  out.resize(size + 64);
  auto used = base64_wide(digits, out.data());
  std::array<char, 32> last;
  last.fill('A');
  std::copy(digits.begin() + static_cast<std::ptrdiff_t>(used), digits.end(), last.begin());
  base64_wide({last.data(), last.size()}, out.data() + used / 4 * 3);
  out.resize(size);
}

void decode_hex_run(std::string_view digits, std::string& out, Lanes lanes) {
  auto size = digits.size() / 2;
  out.resize(size + 32);
  std::size_t used = 0;
  if (lanes == Lanes::avx2) {
    used = hex_wide(digits, out.data());
    std::array<char, 32> last;
    last.fill('0');
    std::copy(digits.begin() + static_cast<std::ptrdiff_t>(used), digits.end(), last.begin());
    hex_wide({last.data(), last.size()}, out.data() + used / 2);
  } else {
    for (; used + 2 <= digits.size(); used += 2) {
      out[used / 2] = static_cast<char>(hex_value(digits[used]) << 4 | hex_value(digits[used + 1]));
    }
  }
  out.resize(size);
}

}  // namespace sallyport::dlp
