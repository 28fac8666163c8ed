#pragma once
// Which of 64 bytes belong to a set, as a word of bits, in a few instructions. Immutable; any thread.

#include "dlp/byte_set.hpp"
#include "dlp/lanes.hpp"

#include <immintrin.h>

#include <array>
#include <cstddef>
#include <cstdint>

namespace sallyport::dlp {

class ByteMask {
 public:
  /// REQUIRES a set of ASCII bytes but zero.
  explicit ByteMask(ByteSet set);

  /// Bit n: byte n is in the set. REQUIRES count in 1 to 64, and that the processor has `lanes`.
  std::uint64_t of(char const* bytes, std::size_t count, Lanes lanes) const;

  /// The same of 64 bytes, and of 1 to 64, for loops that are compiled for these lanes.
  __attribute__((target("avx2"))) std::uint64_t of_avx2(char const* bytes) const {
    // SAFETY: the tables have 16 bytes, and the caller gives 64 bytes of text.
    __m256i low = _mm256_broadcastsi128_si256(_mm_load_si128(reinterpret_cast<__m128i const*>(low_.data())));
    __m256i high = _mm256_broadcastsi128_si256(_mm_load_si128(reinterpret_cast<__m128i const*>(high_.data())));
    __m256i const half = _mm256_set1_epi8(0x0f);
    std::uint64_t mask = 0;
    for (int i = 0; i < 2; ++i) {
      __m256i text = _mm256_loadu_si256(reinterpret_cast<__m256i const*>(bytes + 32 * i));
      __m256i by_low = _mm256_shuffle_epi8(low, _mm256_and_si256(text, half));
      __m256i by_high = _mm256_shuffle_epi8(high, _mm256_and_si256(_mm256_srli_epi16(text, 4), half));
      __m256i outside = _mm256_cmpeq_epi8(_mm256_and_si256(by_low, by_high), _mm256_setzero_si256());
      mask |= static_cast<std::uint64_t>(~static_cast<std::uint32_t>(_mm256_movemask_epi8(outside))) << (32 * i);
    }
    return mask;
  }
  SALLYPORT_AVX512 std::uint64_t of_avx512(char const* bytes, std::size_t count) const {
    // SAFETY: the table has 128 bytes; of the text no more than `count` are read.
    __m512i const low = _mm512_load_si512(whole_.data()), high = _mm512_load_si512(whole_.data() + 64);
    __m512i const text = _mm512_maskz_loadu_epi8(~std::uint64_t{0} >> (64 - count), bytes);  // zero is in no set
    return _mm512_movepi8_mask(_mm512_permutex2var_epi8(low, text, high)) & ~_mm512_movepi8_mask(text);
  }

 private:
  ByteSet set_;
  // A byte belongs to the set if low_[its low half] and high_[its high half] share a bit.
  alignas(16) std::array<std::uint8_t, 16> low_{};
  alignas(16) std::array<std::uint8_t, 16> high_{};
  alignas(64) std::array<std::uint8_t, 128> whole_{};  // the highest bit of those that belong to it
};

}  // namespace sallyport::dlp
