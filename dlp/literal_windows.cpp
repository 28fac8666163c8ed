#include "dlp/literal_windows.hpp"

#include "base/check.hpp"

#include <immintrin.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>

namespace sallyport::dlp {
namespace {

constexpr std::size_t kGroups = 16;

/// Roughly how often a byte occurs in web traffic, in thousandths.
constexpr double estimated_frequency(char c) {
  constexpr std::string_view kCommon = "etaoinsrlcdpum";
  if (kCommon.find(c) != std::string_view::npos) return 45;
  if (c >= 'a' && c <= 'z') return 14;
  if (c >= '0' && c <= '9') return 14;
  if (c >= 'A' && c <= 'Z') return 6;
  constexpr std::string_view kSyntax = " \n\"',.:;/(){}=";
  return kSyntax.find(c) != std::string_view::npos ? 22 : 4;
}

constexpr auto kFrequencies = [] {
  std::array<double, 256> frequencies{};
  for (unsigned byte = 0; byte < 256; ++byte) frequencies[byte] = estimated_frequency(static_cast<char>(byte));
  return frequencies;
}();

/// How often a byte's lower half is in a set, for the lower and the upper eight.
constexpr auto kLowShares = [] {
  std::array<double, 16> each{};
  double all = 0;
  for (unsigned byte = 0; byte < 256; ++byte) {
    each[byte & 15] += kFrequencies[byte];
    all += kFrequencies[byte];
  }
  std::array<std::array<double, 256>, 2> shares{};
  for (unsigned part = 0; part < 2; ++part) {
    for (unsigned set = 1; set < 256; ++set) {
      auto last = static_cast<unsigned>(std::countr_zero(set));
      shares[part][set] = shares[part][set & (set - 1)] + each[part << 3 | last] / all;
    }
  }
  return shares;
}();

/// What the second table of a place is asked: both halves of a byte, and the lower half of the next. In text of small
/// letters the upper half alone says nothing. At the last place there is no next byte.
constexpr unsigned mixed_half(unsigned char byte, unsigned char next, std::size_t place) {
  if (place + 1 == LiteralWindows::kWindow) return byte >> 4;
  return (byte ^ byte >> 4 ^ next << 1) & 15u;
}

/// The seven bits of a byte and the next that the wide tables are asked.
constexpr unsigned mixture(unsigned char byte, unsigned char next) { return (byte ^ next << 1) & 127u; }

/// What one group accepts: half-bytes, a bit each.
struct Group {
  std::array<std::uint16_t, LiteralWindows::kWindow> low{};
  std::array<std::uint16_t, LiteralWindows::kWindow> mixed{};

  void add(Window const& window) {
    auto known = [&](std::size_t place) { return place < window.bytes.size(); };
    for (std::size_t place = 0; place < LiteralWindows::kWindow; ++place) {
      bool const last = place + 1 == LiteralWindows::kWindow;
      if (!known(place) || (!last && !known(place + 1))) mixed[place] = 0xffff;  // behind a short literal anything may stand
      if (!known(place)) low[place] = 0xffff;
      if (!known(place)) continue;
      for (auto byte : bytes_at(window, place)) {
        low[place] = static_cast<std::uint16_t>(low[place] | 1u << (byte & 15));
        if (mixed[place] == 0xffff) continue;
        for (auto next : bytes_at(window, last ? place : place + 1)) {
          mixed[place] = static_cast<std::uint16_t>(mixed[place] | 1u << mixed_half(byte, next, place));
        }
      }
    }
  }

  static std::array<unsigned char, 2> bytes_at(Window const& window, std::size_t place) {
    auto const both = spellings(window.bytes[place], window.letter_case);
    return {static_cast<unsigned char>(both[0]), static_cast<unsigned char>(both[1])};
  }

  /// How often traffic passes this group, roughly.
  double load() const {
    double share = 1;
    for (std::size_t place = 0; place < LiteralWindows::kWindow; ++place) {
      share *= kLowShares[0][low[place] & 255] + kLowShares[1][low[place] >> 8];
      share *= std::popcount(mixed[place]) / 16.0;
    }
    return share;
  }
};

/// Groups, and how often traffic passes each.
struct Groups {
  std::array<Group, kGroups> each;
  std::array<double, kGroups> loads{};

  /// Adds a window to the group whose load grows least by it; which that is.
  std::size_t add(Window const& window) {
    std::size_t best = 0;
    double least = std::numeric_limits<double>::max(), load = 0;
    for (std::size_t i = 0; i < kGroups; ++i) {
      Group grown = each[i];
      grown.add(window);
      double const its_load = grown.load();
      if (its_load - loads[i] >= least) continue;
      least = its_load - loads[i];
      load = its_load;
      best = i;
    }
    each[best].add(window);
    loads[best] = load;
    return best;
  }
};

void write_group(LiteralWindows::Shuffles& shuffles, std::size_t index, Group const& group) {
  auto bit = static_cast<std::uint8_t>(1u << (index % 8));
  for (std::size_t i = 0; i < LiteralWindows::kWindow; ++i) {
    for (std::size_t half = 0; half < 16; ++half) {
      if ((group.low[i] >> half & 1) != 0) shuffles.low[index / 8][i][half] |= bit;
      if ((group.mixed[i] >> half & 1) != 0) shuffles.mixed[index / 8][i][half] |= bit;
    }
  }
}

void write_window(LiteralWindows::WideShuffles& shuffles, std::size_t index, Window const& window) {
  auto bit = static_cast<std::uint8_t>(1u << (index % 8));
  auto accept_all = [bit](auto& table) { for (auto& entry : table) entry |= bit; };
  for (std::size_t i = 0; i < LiteralWindows::kWindow; ++i) {
    auto& whole = shuffles.whole[index / 8][i];
    if (i >= window.bytes.size()) {
      accept_all(whole);
      continue;
    }
    for (auto byte : Group::bytes_at(window, i)) whole[byte & 127u] |= bit;
    if (i + 1 == LiteralWindows::kWindow) continue;
    auto& mixed = shuffles.mixed[index / 8][i];
    if (i + 1 >= window.bytes.size()) {
      accept_all(mixed);
      continue;
    }
    for (auto byte : Group::bytes_at(window, i)) {
      for (auto next : Group::bytes_at(window, i + 1)) mixed[mixture(byte, next)] |= bit;
    }
  }
}

/// The four shuffle tables of one half-byte and one set of groups, each in both halves of a register.
struct Tables {
  __m256i at[LiteralWindows::kWindow];
};

__attribute__((target("avx2"))) inline Tables load_tables(std::array<std::array<std::uint8_t, 16>, 4> const& bytes) {
  Tables tables;
  for (std::size_t i = 0; i < LiteralWindows::kWindow; ++i) {
    // SAFETY: 16 bytes are read from an array of 16.
    tables.at[i] = _mm256_broadcastsi128_si256(_mm_loadu_si128(reinterpret_cast<__m128i const*>(bytes[i].data())));
  }
  return tables;
}

/// Which of 32 places pass one of the groups. REQUIRES 35 bytes.
__attribute__((target("avx2"))) inline std::uint32_t places_wide(char const* text, Tables const (&low)[2],
                                                                 Tables const (&mixed)[2]) {
  __m256i const half = _mm256_set1_epi8(0x0f);
  __m256i groups[2] = {_mm256_set1_epi8(-1), _mm256_set1_epi8(-1)};
  __m256i bytes = _mm256_loadu_si256(reinterpret_cast<__m256i const*>(text));
#pragma GCC unroll 4
  for (std::size_t i = 0; i < LiteralWindows::kWindow; ++i) {
    bool const last = i + 1 == LiteralWindows::kWindow;
    // SAFETY: i + 1 + 32 <= 35, but for the last place.
    __m256i next = last ? bytes : _mm256_loadu_si256(reinterpret_cast<__m256i const*>(text + i + 1));
    __m256i upper = _mm256_srli_epi16(bytes, 4);
    __m256i mix = last ? upper : _mm256_xor_si256(_mm256_xor_si256(bytes, upper), _mm256_add_epi8(next, next));
    __m256i low_half = _mm256_and_si256(bytes, half);
    __m256i mix_half = _mm256_and_si256(mix, half);
#pragma GCC unroll 2
    for (std::size_t set = 0; set < 2; ++set) {
      __m256i accepted =
          _mm256_and_si256(_mm256_shuffle_epi8(low[set].at[i], low_half), _mm256_shuffle_epi8(mixed[set].at[i], mix_half));
      groups[set] = _mm256_and_si256(groups[set], accepted);
    }
    bytes = next;
  }
  __m256i none = _mm256_cmpeq_epi8(_mm256_or_si256(groups[0], groups[1]), _mm256_setzero_si256());
  return ~static_cast<std::uint32_t>(_mm256_movemask_epi8(none));
}

/// Appends the places of a mask's bits, each plus `base`, and returns how many there are by then. Most masks have few bits:
/// these are written without a branch. REQUIRES room for 32 more.
__attribute__((target("avx2,bmi,popcnt"))) inline std::size_t append_places(std::uint32_t mask, std::size_t base,
                                                                            std::uint16_t* places, std::size_t count) {
  constexpr int kMostly = 6;
  auto const all = count + static_cast<std::size_t>(std::popcount(mask));
  for (int i = 0; i < kMostly; ++i, mask &= mask - 1) {
    places[count + i] = static_cast<std::uint16_t>(base + static_cast<unsigned>(std::countr_zero(mask)));
  }
  for (auto next = count + kMostly; next < all; ++next, mask &= mask - 1) {
    places[next] = static_cast<std::uint16_t>(base + static_cast<unsigned>(std::countr_zero(mask)));
  }
  return all;
}

__attribute__((target("avx2,bmi,popcnt"))) std::size_t find_avx2(LiteralWindows::Shuffles const& shuffles, std::string_view text,
                                                                 std::uint16_t* places) {
  Tables const low[2] = {load_tables(shuffles.low[0]), load_tables(shuffles.low[1])};
  Tables const mixed[2] = {load_tables(shuffles.mixed[0]), load_tables(shuffles.mixed[1])};
  auto const end = std::min(LiteralWindows::kBatch, text.size());
  std::size_t count = 0, place = 0;
  for (; place < end && text.size() - place >= 35; place += 32) {
    count = append_places(places_wide(text.data() + place, low, mixed), place, places, count);
  }
  constexpr std::size_t kShortest = 3;  // bytes of a window
  if (place >= end || text.size() - place < kShortest) return count;
  std::array<char, 64> last{};
  std::memcpy(last.data(), text.data() + place, text.size() - place);
  auto mask = places_wide(last.data(), low, mixed);
  auto const left = text.size() - place - (kShortest - 1);
  if (left < 32) mask &= (1u << left) - 1;
  return append_places(mask, place, places, count);
}

/// A table of 128 bytes.
struct WideTable {
  __m512i low, high;
};

SALLYPORT_AVX512 inline WideTable load_table(std::array<std::uint8_t, 128> const& bytes) {
  // SAFETY: 128 bytes are read from an array of 128.
  return {_mm512_loadu_si512(bytes.data()), _mm512_loadu_si512(bytes.data() + 64)};
}

SALLYPORT_AVX512 inline __m512i look_up(WideTable const& table, __m512i places) {
  return _mm512_permutex2var_epi8(table.low, places, table.high);
}

/// Sets of groups one after the other, so that the tables of one fit into the registers.
SALLYPORT_AVX512 std::size_t find_avx512(LiteralWindows::WideShuffles const& shuffles,
                                                                               std::string_view text, std::uint16_t* places) {
  constexpr auto kWindow = LiteralWindows::kWindow;
  auto const end = std::min(LiteralWindows::kBatch, text.size() - 2);  // a window has three bytes
  std::array<std::uint64_t, LiteralWindows::kBatch / 64> masks{};
  for (std::size_t set = 0; set < 2; ++set) {
    WideTable whole[kWindow], mixed[kWindow - 1];
    for (std::size_t i = 0; i < kWindow; ++i) whole[i] = load_table(shuffles.whole[set][i]);
    for (std::size_t i = 0; i + 1 < kWindow; ++i) mixed[i] = load_table(shuffles.mixed[set][i]);
    for (std::size_t place = 0; place < end; place += 64) {
      auto const left = text.size() - place;
      __m512i bytes[kWindow];
#pragma GCC unroll 4
      for (std::size_t i = 0; i < kWindow; ++i) {
        auto const readable = left >= 64 + i ? ~std::uint64_t{0} : left <= i ? 0 : ~std::uint64_t{0} >> (64 - (left - i));
        bytes[i] = _mm512_maskz_loadu_epi8(readable, text.data() + place + i);  // SAFETY: nothing behind the text is read
      }
      __m512i groups = look_up(whole[kWindow - 1], bytes[kWindow - 1]);
#pragma GCC unroll 3
      for (std::size_t i = 0; i + 1 < kWindow; ++i) {
        __m512i const mix = _mm512_xor_si512(bytes[i], _mm512_add_epi8(bytes[i + 1], bytes[i + 1]));
        groups = _mm512_and_si512(groups, _mm512_and_si512(look_up(whole[i], bytes[i]), look_up(mixed[i], mix)));
      }
      masks[place / 64] |= _mm512_test_epi8_mask(groups, groups);
    }
  }
  std::size_t count = 0;
  for (std::size_t place = 0; place < end; place += 64) {
    auto mask = masks[place / 64];
    if (end - place < 64) mask &= ~std::uint64_t{0} >> (64 - (end - place));
    for (; mask != 0; mask &= mask - 1) places[count++] = static_cast<std::uint16_t>(place + static_cast<unsigned>(std::countr_zero(mask)));
  }
  return count;
}

}  // namespace

double byte_frequency(char c) { return kFrequencies[static_cast<unsigned char>(c)]; }

LiteralWindows::LiteralWindows(std::vector<Window> const& windows) {
  Groups groups;
  for (auto const& window : windows) {
    check(window.bytes.size() == 3 || window.bytes.size() == kWindow, "a window has three bytes or four");
    write_window(wide_, groups.add(window), window);
  }
  for (std::size_t i = 0; i < kGroups; ++i) write_group(shuffles_, i, groups.each[i]);
}

std::size_t LiteralWindows::find(std::string_view text, std::uint16_t* places, Lanes lanes) const {
  if (text.size() < 3) return 0;
  return lanes == Lanes::avx512 ? find_avx512(wide_, text, places) : find_avx2(shuffles_, text, places);
}

}  // namespace sallyport::dlp
