#include "dlp/run_finder.hpp"

#include "base/check.hpp"

#include <immintrin.h>

#include <array>
#include <bit>
#include <cstring>

namespace sallyport::dlp {

RunFinder::RunFinder(ByteSet set, std::size_t min) : set_(set), min_(min) {
  check(min >= kMinRun && !set.contains('\0'), "runs are long and hold no zeros");
  for (unsigned byte = 0; byte < 128; ++byte) {
    if (!set.contains(static_cast<char>(byte))) continue;
    auto bit = static_cast<std::uint8_t>(1u << (byte >> 4));
    low_[byte & 15] |= bit;
    high_[byte >> 4] = bit;
  }
}

std::uint64_t RunFinder::mask_scalar(char const* bytes, std::size_t count) const {
  std::uint64_t mask = 0;
  for (std::size_t i = 0; i < count; ++i) mask |= std::uint64_t{set_.contains(bytes[i])} << i;
  return mask;
}

__attribute__((target("avx2"))) inline std::uint64_t RunFinder::mask_avx2(char const* bytes) const {
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

std::uint64_t RunFinder::mask_wide(char const* bytes, std::size_t count) const {
  if (count == 64) return mask_avx2(bytes);
  std::array<char, 64> padded{};  // zero is in no set
  std::memcpy(padded.data(), bytes, count);
  return mask_avx2(padded.data());
}

/// Runs that lie within one word of 64 bytes and touch neither of its ends.
void RunFinder::add_inner_runs(std::uint64_t mask, std::size_t at, std::vector<Span>& runs) const {
  auto long_runs = mask & mask >> 1;  // each step doubles the length that a set bit stands for: 2, 4, 8, 16
  long_runs &= long_runs >> 2;
  long_runs &= long_runs >> 4;
  long_runs &= long_runs >> 8;
  while (long_runs != 0) {
    auto begin = static_cast<std::size_t>(std::countr_zero(long_runs));
    auto length = static_cast<std::size_t>(std::countr_one(mask >> begin));
    if (length >= min_) runs.push_back({at + begin, at + begin + length});
    auto end = begin + length;
    long_runs = end >= 64 ? 0 : long_runs >> end << end;
  }
}

bool RunFinder::covers(std::string_view text, Lanes lanes) const {
  for (std::size_t at = 0; at < text.size(); at += 64) {
    auto count = std::min<std::size_t>(64, text.size() - at);
    auto mask = lanes == Lanes::avx2 ? mask_wide(text.data() + at, count) : mask_scalar(text.data() + at, count);
    if (mask != ~std::uint64_t{0} >> (64 - count)) return false;
  }
  return true;
}

/// Takes in the mask of the 64 bytes at `at`; `open` is where the run that reaches them begins.
inline void RunFinder::take(std::uint64_t mask, std::size_t at, std::size_t& open, std::vector<Span>& runs) const {
  if (mask == ~std::uint64_t{0}) return;
  auto first = static_cast<std::size_t>(std::countr_one(mask));
  if (at + first - open >= min_) runs.push_back({open, at + first});
  auto last = static_cast<std::size_t>(std::countl_one(mask));
  open = at + 64 - last;
  auto sixteen = mask & mask >> 1;
  sixteen &= sixteen >> 2;
  sixteen &= sixteen >> 4;
  if ((sixteen & sixteen >> 8) == 0) return;
  auto inner = mask;
  if (first > 0) inner = inner >> first << first;
  if (last > 0) inner = inner << last >> last;
  add_inner_runs(inner, at, runs);
}

void RunFinder::find_scalar(std::string_view text, std::vector<Span>& runs) const {
  std::size_t open = 0;
  for (std::size_t at = 0; at < text.size(); at += 64) {
    take(mask_scalar(text.data() + at, std::min<std::size_t>(64, text.size() - at)), at, open, runs);
  }
  if (open < text.size() && text.size() - open >= min_) runs.push_back({open, text.size()});
}

__attribute__((target("avx2"))) void RunFinder::find_wide(std::string_view text, std::vector<Span>& runs) const {
  std::size_t open = 0, at = 0;
  for (; at + 64 <= text.size(); at += 64) take(mask_avx2(text.data() + at), at, open, runs);
  if (at < text.size()) take(mask_wide(text.data() + at, text.size() - at), at, open, runs);
  if (open < text.size() && text.size() - open >= min_) runs.push_back({open, text.size()});
}

void RunFinder::find(std::string_view text, std::vector<Span>& runs, Lanes lanes) const {
  return lanes == Lanes::avx2 ? find_wide(text, runs) : find_scalar(text, runs);
}

}  // namespace sallyport::dlp
