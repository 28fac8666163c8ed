#include "dlp/run_signs.hpp"

#include "dlp/base_n.hpp"
#include "dlp/byte_set.hpp"
#include "dlp/limits.hpp"

#include <immintrin.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>

namespace sallyport::dlp {
namespace {

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

// What a digit may be. The first three are of a group of four digits: see text_groups().
enum Sign : std::uint8_t {
  kFirst = 1,
  kSecond = 2,
  kThird = 4,
  kHead = 8,
  kHeadSecond = 16,
  kHexDigit = 32,
  kBase32Digit = 64,
  kLowerBase32Digit = 128,
};

/// A byte of ASCII has its highest bit clear: bit 5 of the first digit, 3 of the second, 1 of the third. One that is no
/// control character has one of the next two bits set: 4 and 3 of the first digit, 2 and 1 of the second.
constexpr std::uint8_t text_signs(unsigned value) {
  std::uint8_t signs = 0;
  if ((value & 0x20) == 0 && (value & 0x18) != 0) signs |= kFirst;
  if ((value & 0x08) == 0 && (value & 0x06) != 0) signs |= kSecond;
  if ((value & 0x02) == 0) signs |= kThird;
  return signs;
}

alignas(64) constexpr auto kSigns = [] {
  std::array<std::uint8_t, 128> signs{};
  for (unsigned value = 0; value < kBase64Digits.size(); ++value) signs[static_cast<unsigned char>(kBase64Digits[value])] = text_signs(value);
  signs['-'] = signs['+'];
  signs['_'] = signs['/'];
  for (unsigned byte = 0; byte < signs.size(); ++byte) {
    auto const c = static_cast<char>(byte);
    auto add = [&](bool is, Sign sign) { signs[byte] = static_cast<std::uint8_t>(signs[byte] | (is ? sign : 0)); };
    add(ByteSet::of("eHKU").contains(c), kHead);
    add(ByteSet::of("AFJN4LE").contains(c), kHeadSecond);
    add(kHex.contains(c), kHexDigit);
    add(kBase32.contains(c), kBase32Digit);
    add(kLowerBase32.contains(c), kLowerBase32Digit);
  }
  return signs;
}();

unsigned modulo_four(std::uint64_t places) {
  for (int shift = 32; shift >= 4; shift /= 2) places |= places >> shift;
  return static_cast<unsigned>(places & 15);
}

bool has_coded_run(std::uint64_t digits) {
  static_assert(kMinCodedRun == 20, "the shifts below look for twenty");
  for (int shift = 1; shift <= 8; shift *= 2) digits &= digits >> shift;
  return (digits & digits >> 4) != 0;
}

/// Where three groups stand, of those four that every fifteen bytes of text have, and one digit more that such bytes have in
/// front of them or behind.
std::uint64_t text_groups(std::uint64_t first, std::uint64_t second, std::uint64_t third) {
  auto const group = first & second >> 1 & third >> 2;
  return group & group >> 4 & group >> 8 & (third << 2 | first >> 12);
}

/// For each sign the places of 64 digits that have it.
using Masks = std::array<std::uint64_t, 8>;

void fill_scalar(std::string_view digits, Masks& masks) {
  for (std::size_t i = 0; i < digits.size(); ++i) {
    auto const signs = kSigns[static_cast<unsigned char>(digits[i]) & 127];
    for (std::size_t sign = 0; sign < masks.size(); ++sign) masks[sign] |= std::uint64_t{signs >> sign & 1u} << i;
  }
}

/// 32 digits: a table for each upper half of a byte. Then a sign at a time as the highest bit of each byte.
__attribute__((target("avx2"))) void fill_avx2(char const* digits, int shift, Masks& masks) {
  // SAFETY: the caller gives 32 digits; 16 bytes are read from each row of the table, which has eight.
  __m256i const text = _mm256_loadu_si256(reinterpret_cast<__m256i const*>(digits));
  __m256i const upper = _mm256_and_si256(_mm256_srli_epi16(text, 4), _mm256_set1_epi8(0x0f));
  __m256i signs = _mm256_setzero_si256();
  for (int row = 2; row < 8; ++row) {
    __m256i const table = _mm256_broadcastsi128_si256(_mm_loadu_si128(reinterpret_cast<__m128i const*>(kSigns.data() + 16 * row)));
    __m256i const here = _mm256_cmpeq_epi8(upper, _mm256_set1_epi8(static_cast<char>(row)));
    signs = _mm256_or_si256(signs, _mm256_and_si256(here, _mm256_shuffle_epi8(table, text)));
  }
  for (int sign = 7; sign >= 0; --sign) {
    masks[static_cast<std::size_t>(sign)] |= static_cast<std::uint64_t>(static_cast<std::uint32_t>(_mm256_movemask_epi8(signs))) << shift;
    signs = _mm256_add_epi8(signs, signs);
  }
}

SALLYPORT_AVX512 void fill_avx512(std::string_view digits, Masks& masks) {
  // SAFETY: the table has 128 bytes; of the digits no more are read than there are.
  __m512i const low = _mm512_loadu_si512(kSigns.data()), high = _mm512_loadu_si512(kSigns.data() + 64);
  __m512i const text = _mm512_maskz_loadu_epi8(~std::uint64_t{0} >> (64 - digits.size()), digits.data());
  __m512i const signs = _mm512_permutex2var_epi8(low, text, high);
  for (std::size_t sign = 0; sign < masks.size(); ++sign) {
    masks[sign] = _mm512_test_epi8_mask(signs, _mm512_set1_epi8(static_cast<char>(1u << sign)));
  }
}

Masks masks_of(std::string_view digits, Lanes lanes) {
  Masks masks{};
  if (lanes == Lanes::scalar) fill_scalar(digits, masks);
  if (lanes == Lanes::avx512) fill_avx512(digits, masks);
  if (lanes != Lanes::avx2) return masks;
  std::array<char, 64> padded{};  // zero has no sign
  std::copy(digits.begin(), digits.end(), padded.begin());
  fill_avx2(padded.data(), 0, masks);
  fill_avx2(padded.data() + 32, 32, masks);
  return masks;
}

/// Looks at up to 64 digits.
void add_window(std::string_view digits, Lanes lanes, RunSigns& found) {
  auto const [first, second, third, head, head_second, hex, base32, lower_base32] = masks_of(digits, lanes);
  found.text |= modulo_four(text_groups(first, second, third));
  found.hex |= has_coded_run(hex);
  found.base32 |= has_coded_run(base32);
  found.lower_base32 |= has_coded_run(lower_base32);
  for (auto heads = head & head_second >> 1; heads != 0; heads &= heads - 1) {
    auto const place = static_cast<std::size_t>(std::countr_zero(heads));
    if (is_packed_head(digits.substr(place, 4))) found.packed |= 1u << (place % 4);
  }
}

}  // namespace

/// Windows that overlap by as much as one sign needs.
RunSigns signs_of_run(std::string_view digits, Lanes lanes) {
  constexpr std::size_t kStep = 44;
  static_assert(kStep % 4 == 0 && 64 - kStep >= kMinCodedRun);
  RunSigns found;
  for (std::size_t at = 0; at < digits.size(); at += kStep) {
    add_window(digits.substr(at, 64), lanes, found);
    if (at + 64 >= digits.size()) break;
  }
  return found;
}

}  // namespace sallyport::dlp
